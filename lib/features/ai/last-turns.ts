import { cutToLength } from '#lib/platform/characters.ts';
import type { ChatTurn } from '#lib/vendors/openai/ai-service.ts';

/** Limits the cost that a customer can cause with one reply. */
export const maxTurnLength = 4_000;
export const maxTurnsLength = 16_000;

/** Returns the latest turns that fit, in order. Truncates long ones. */
export function lastTurns(turns: readonly ChatTurn[]): readonly ChatTurn[] {
  const kept: ChatTurn[] = [];
  let room = maxTurnsLength;
  for (const { role, content } of turns.toReversed()) {
    const cut = cutToLength(content, maxTurnLength);
    room -= cut.length;
    if (room < 0) {
      break;
    }
    kept.unshift({ role, content: cut });
  }

  return kept;
}
