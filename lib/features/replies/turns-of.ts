import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import type { ChatTurn } from '#lib/vendors/openai/ai-service.ts';

/** Limits what customers can make a business spend on one reply. */
export const maxTurnLength = 4_000;
export const maxTurnsLength = 16_000;

type Said = Pick<Message, 'direction' | 'text' | 'status'>;

/**
 * Returns the chat history for the AI, oldest first. It has as many of the latest messages as fit,
 * and truncates long ones. Messages that failed to send are left out.
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
