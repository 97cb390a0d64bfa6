import { dayMs, epochSeconds, hourMs, now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { untilMidnightPacific } from '#lib/vendors/networks/youtube/quota-reset.ts';
import type { Platform } from '#schemas/platforms.ts';

/** A network's daily call limit for the whole service. */
type Budget = { readonly callsPerDay: () => number; readonly untilReset: (at: number) => number };

/** Networks whose limits are shared by all accounts. Other networks limit each account. */
const budgets: Partial<Record<Platform, Budget>> = {
  YOUTUBE: {
    callsPerDay: () => config.networks.youtubeCommentCallsPerDay,
    untilReset: untilMidnightPacific,
  },
};

const retentionDays = 2;

/** Thrown when the calls released so far today are used up. */
export class CommentBudgetSpentError extends Error {
  readonly retryAfterMs: number;

  constructor(platform: Platform, retryAfterMs: number) {
    super(`Looks for comments on ${platform} have taken their share of the day by now`);
    this.name = 'CommentBudgetSpentError';
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Counts one call that fetches comments. The daily budget is released hourly, so that calls in the
 * morning leave some for the evening. Unused calls carry over to later hours.
 *
 * @throws CommentBudgetSpentError, in which case nothing is counted.
 */
export async function takeCommentCall(platform: Platform): Promise<void> {
  const budget = budgets[platform];
  if (!budget) {
    return;
  }
  const { day, allowed, untilMoreMs } = shareNow(budget);
  await write(
    change(socialKeys.commentCalls(platform, day), {
      add: { calls: 1 },
      set: { expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1_000) },
      when: allowed > 0 ? either(absent('calls'), below('calls', allowed)) : below('calls', 0),
      orCreate: true,
      onConditionFailed: () => new CommentBudgetSpentError(platform, untilMoreMs),
    }),
  );
}

/** Returns the calls allowed so far today, and the time until more are released. */
function shareNow({ callsPerDay, untilReset }: Budget) {
  const at = now();
  const leftMs = untilReset(at);
  const begunHours = Math.max(1, 24 - Math.floor(leftMs / hourMs));

  return {
    // The name of a day is the date on which it ends.
    day: new Date(at + leftMs).toISOString().slice(0, 10),
    allowed: Math.floor((callsPerDay() * begunHours) / 24),
    untilMoreMs: leftMs % hourMs || hourMs,
  };
}
