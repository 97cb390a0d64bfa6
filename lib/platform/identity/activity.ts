import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { Session } from './identity.ts';

const granularityMs = 15 * minuteMs;

type Touch = { activity?: Promise<void> };

/**
 * Updates the last activity of the session and the user, at most every 15 minutes to save writes.
 * Runs in parallel with the request, which awaits it at the end.
 */
export function touchSession(state: Touch, session: Session): void {
  if (now() - Date.parse(session.lastActiveAt) >= granularityMs) {
    state.activity = noteActivity(session);
  }
}

async function noteActivity({ userId, sessionId }: Session): Promise<void> {
  const lastActiveAt = timestamp();
  const noted = await Promise.allSettled([
    write(change(keys.session(userId, sessionId), { set: { lastActiveAt } })),
    write(change(keys.user(userId), { set: { lastActiveAt } })),
  ]);
  for (const outcome of noted) {
    if (outcome.status === 'rejected') {
      logger.warn('Activity was not noted', { failure: describeFailure(outcome.reason) });
    }
  }
}
