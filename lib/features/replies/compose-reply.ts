import { buildPrompt } from '#lib/features/ai/prompt.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { cutToLength, graphemesOf } from '#lib/platform/characters.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import {
  type ChatTurn,
  type GeneratedReply,
  generateReply,
} from '#lib/vendors/openai/ai-service.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';
import type { ReplyScene } from './reply-scene.ts';

/** Limits what customers can make a business spend on one reply. */
export const maxTurnLength = 4_000;
export const maxTurnsLength = 16_000;

/** Caps the length requested from the AI: replies have a token limit and should be short. */
const maxRequestedLength = 2_000;

const handOverText =
  'Thank you for your message. A member of our team will get back to you here as soon as possible.';

const ellipsis = '…';

export type ComposedReply = {
  readonly action: GeneratedReply['action'];
  readonly text: string;
  readonly usage: GeneratedReply['usage'];
  /** Template placeholders that had no value. */
  readonly missing: readonly string[];
};

/**
 * Generates a reply with the AI service and shortens it to the network's limit. An empty reply is
 * replaced by the handover text.
 */
export async function composeReply(scene: ReplyScene): Promise<ComposedReply> {
  const { template, target, answerer, history } = scene;
  const { platform, channel, customer } = target;
  const { instructions, missing } = buildPrompt(template, {
    customerName: customer.name,
    platform,
    variables: answerer.variables,
    maxReplyLength: Math.min(maxReplyLength(platform, channel), maxRequestedLength),
  });
  const generated = await generateReply({ instructions, turns: turnsOf(history) });
  const { action, reply, usage } = generated;

  return { action, text: cutText(platform, channel, reply.trim() || handOverText), usage, missing };
}

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

/** Shortens a text to the network's limit, at a word boundary. */
export function cutText(platform: Platform, channel: Channel, text: string): string {
  const limit = maxReplyLength(platform, channel);
  const fits = (answer: string) => replyLength(platform, channel, answer) <= limit;
  const trimmed = text.trim();
  if (fits(trimmed)) {
    return trimmed;
  }
  const segments = graphemesOf(trimmed);
  const start = (count: number) => segments.slice(0, count).join('');
  const cut = start(largestThat((count) => fits(`${start(count)}${ellipsis}`), segments.length));
  const wordEnd = cut.search(/\s+\S*$/u);

  // Without spaces, cut at any character.
  return `${(wordEnd > cut.length / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}${ellipsis}`;
}

/** Binary search: returns the largest number up to `limit` for which `holds` is true. */
function largestThat(holds: (number: number) => boolean, limit: number): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }

  return low;
}
