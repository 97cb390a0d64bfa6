import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import type { ChatTurn } from '#lib/vendors/openai/ai-service.ts';

/** Whoever writes to a business must not decide what an answer costs it. */
export const maxTurnLength = 4_000;
export const maxTurnsLength = 16_000;

type Said = Pick<Message, 'direction' | 'text' | 'status'>;

/**
 * What was said so far, the oldest first: as many of the latest messages as fit, and of a long one
 * its beginning. What did not reach the customer was not said.
 */
export function turnsOf(history: readonly Said[]): readonly ChatTurn[] {
  const turns: ChatTurn[] = [];
  let room = maxTurnsLength;
  for (const { direction, text } of history.filter(({ status }) => status !== 'FAILED').reverse()) {
    const content = cutToLength(text, maxTurnLength);
    room -= content.length;
    if (room < 0) {
      break;
    }
    turns.unshift({ role: direction === 'IN' ? 'user' : 'assistant', content });
  }

  return turns;
}
