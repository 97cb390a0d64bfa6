import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { ApiKey, Session } from './identity.ts';

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

/** Updates the last use of an API key, like `touchSession`. */
export function touchApiKey(state: Touch, { keyHash, lastUsedAt }: ApiKey): void {
  if (now() - Date.parse(lastUsedAt ?? '1970-01-01') >= granularityMs) {
    state.activity = note(
      change(organizationKeys.apiKey(keyHash), { set: { lastUsedAt: timestamp() } }),
    );
  }
}

function noteActivity({ userId, sessionId }: Session): Promise<void> {
  const set = { lastActiveAt: timestamp() };

  return note(
    change(userKeys.session(userId, sessionId), { set }),
    change(userKeys.user(userId), { set }),
  );
}

async function note(...changes: readonly Write[]): Promise<void> {
  const noted = await Promise.allSettled(changes.map((noting) => write(noting)));
  for (const outcome of noted) {
    if (outcome.status === 'rejected') {
      logger.warn('Activity was not noted', { failure: describeFailure(outcome.reason) });
    }
  }
}
