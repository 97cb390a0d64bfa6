import { dayMs, epochSeconds, hourMs, now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { untilMidnightPacific } from '#lib/vendors/networks/youtube/quota-reset.ts';
import type { Platform } from '#schemas/platforms.ts';

/** How a network allows the whole service so many calls a day. */
type Budget = { readonly callsPerDay: () => number; readonly untilReset: (at: number) => number };

/** The networks whose limits all accounts share. Those of others are each account's own. */
const budgets: Partial<Record<Platform, Budget>> = {
  YOUTUBE: {
    callsPerDay: () => config.networks.youtubeCommentCallsPerDay,
    untilReset: untilMidnightPacific,
  },
};

const keptDays = 2;

/** There is nothing left of what looks for comments may take by now. */
export class CommentBudgetSpent extends Error {
  /** When there is more. */
  readonly retryAfterMs: number;

  constructor(platform: Platform, retryAfterMs: number) {
    super(`Looks for comments on ${platform} have taken their share of the day by now`);
    this.name = 'CommentBudgetSpent';
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Counts one call that looks for comments. The day's budget is released by the hour, so that a
 * morning does not use up what the evening needs; what an hour leaves, the next ones have.
 *
 * @throws CommentBudgetSpent, and nothing is counted.
 */
export async function takeCommentCall(platform: Platform): Promise<void> {
  const budget = budgets[platform];
  if (!budget) {
    return;
  }
  const { day, allowed, untilMoreMs } = shareNow(budget);
  await write(
    change(keys.commentCalls(platform, day), {
      add: { calls: 1 },
      set: { expiresAtSeconds: epochSeconds((keptDays * dayMs) / 1_000) },
      when: allowed > 0 ? either(absent('calls'), below('calls', allowed)) : below('calls', 0),
      orCreate: true,
      refused: () => new CommentBudgetSpent(platform, untilMoreMs),
    }),
  );
}

/** What may have been taken by now, and when more may be. */
function shareNow({ callsPerDay, untilReset }: Budget) {
  const at = now();
  const leftMs = untilReset(at);
  const begunHours = Math.max(1, 24 - Math.floor(leftMs / hourMs));

  return {
    // The day by its end.
    day: new Date(at + leftMs).toISOString().slice(0, 10),
    allowed: Math.floor((callsPerDay() * begunHours) / 24),
    untilMoreMs: leftMs % hourMs || hourMs,
  };
}
