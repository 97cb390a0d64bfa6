import { cutToLength } from '#lib/platform/characters.ts';
import type { ChatTurn } from '#lib/vendors/openai/ai-service.ts';

/** Limits what customers can make a business spend on one reply. */
export const maxTurnLength = 4_000;
export const maxTurnsLength = 16_000;

/** Returns as many of the latest turns as fit, in order, and truncates long ones. */
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
