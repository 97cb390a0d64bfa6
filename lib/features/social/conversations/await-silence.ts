import { minuteMs, now, pause } from '#lib/platform/clock.ts';
import { listLatestMessages } from './conversations.ts';

const lookedThrough = 10;
const lookEveryMs = 100;
/** Ten seconds in all. */
const maxLooks = 100;

/**
 * Waits until no answer of the agent is on its way any more, so that whoever has taken a conversation
 * over and is told so knows that nothing of the agent's goes out after that. To be called when that
 * is written: an answer that is not on its way by then never will be.
 */
export async function awaitSilence(organizationId: string, conversationId: string): Promise<void> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    if (!(await isAgentSending(organizationId, conversationId))) {
      return;
    }
    await pause(lookEveryMs);
  }
}

/** One that has been on its way for a minute was lost with its function. */
async function isAgentSending(organizationId: string, conversationId: string): Promise<boolean> {
  const messages = await listLatestMessages(organizationId, conversationId, lookedThrough);

  return messages.some(
    ({ author, status, sendingAt }) =>
      author === 'BOT' &&
      status === 'PENDING' &&
      sendingAt !== undefined &&
      now() - Date.parse(sendingAt) < minuteMs,
  );
}
