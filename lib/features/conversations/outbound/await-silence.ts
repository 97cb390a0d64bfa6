import { listLatestMessages } from '#lib/features/conversations/conversations.ts';
import { minuteMs, now, pause } from '#lib/platform/clock.ts';

const messagesChecked = 10;
const pollIntervalMs = 100;
/** Together with the delay, ten seconds in total. */
const maxPolls = 100;

/**
 * Waits until no agent reply is in flight, so that no agent message is sent after the takeover is
 * confirmed. Call it after the takeover is stored: replies that are not in flight by then are never
 * sent.
 *
 * @returns false if a reply is still in flight.
 */
export async function awaitSilence(
  organizationId: string,
  conversationId: string,
): Promise<boolean> {
  for (let polls = 0; polls < maxPolls; polls += 1) {
    if (!(await isAgentSending(organizationId, conversationId))) {
      return true;
    }
    await pause(pollIntervalMs);
  }

  return false;
}

/** Ignores replies that have been in flight for a minute: their function has crashed. */
async function isAgentSending(organizationId: string, conversationId: string): Promise<boolean> {
  const messages = await listLatestMessages(organizationId, conversationId, messagesChecked);

  return messages.some(
    ({ author, status, sendingAt }) =>
      author === 'BOT' &&
      status === 'PENDING' &&
      sendingAt !== undefined &&
      now() - Date.parse(sendingAt) < minuteMs,
  );
}
