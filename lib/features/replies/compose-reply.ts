import { lastTurns } from '#lib/features/ai/last-turns.ts';
import { type BuiltPrompt, buildPrompt, customerTurns } from '#lib/features/ai/prompt.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { withoutBidiControls } from '#lib/platform/characters.ts';
import { cutText } from '#lib/vendors/networks/cut-text.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import {
  type ChatTurn,
  type GeneratedReply,
  generateReply,
} from '#lib/vendors/openai/ai-service.ts';
import type { ReplyScene } from './reply-scene.ts';
import { isUnsafeAnswer } from './unsafe-answer.ts';

/** Caps the length requested from the AI: replies have a token limit and should be short. */
const maxRequestedLength = 2_000;

const handOverText =
  'Thank you for your message. A member of our team will get back to you here as soon as possible.';

export type ComposedReply = Pick<GeneratedReply, 'action' | 'confidence' | 'usage'> & {
  readonly text: string;
  /** The text repeats the instructions, or links to a host that the business does not name. */
  readonly isUnsafe: boolean;
  /** Template placeholders that had no value. */
  readonly missing: readonly string[];
};

export function promptOf({ template, target, answerer, ending }: ReplyScene): BuiltPrompt {
  const { platform, channel } = target;
  const room = maxReplyLength(platform, channel) - replyLength(platform, channel, ending);

  return buildPrompt(template, {
    platform,
    variables: answerer.variables,
    maxReplyLength: Math.min(room, maxRequestedLength),
  });
}

/**
 * Generates a reply with the AI service, ends it with the disclosure, and shortens the reply to the
 * network's limit. An empty reply is replaced by the handover text.
 */
export async function composeReply(
  { target, history, ending }: ReplyScene,
  { instructions, missing }: BuiltPrompt,
): Promise<ComposedReply> {
  const { organizationId, platform, channel, customer } = target;
  const turns = [...customerTurns(customer.name), ...turnsOf(history)];
  const { reply, ...generated } = await generateReply({ organizationId, instructions, turns });
  const answer = withoutBidiControls(reply).trim();

  return {
    ...generated,
    text: cutText(platform, channel, answer || handOverText, ending),
    isUnsafe: isUnsafeAnswer(answer, instructions),
    missing,
  };
}

type Said = Pick<Message, 'direction' | 'text' | 'status'>;

/** Returns the chat history for the AI, oldest first, without failed and empty messages. */
export function turnsOf(history: readonly Said[]): readonly ChatTurn[] {
  return lastTurns(
    history
      .filter(({ status, text }) => status !== 'FAILED' && text.trim() !== '')
      .map(({ direction, text }) => ({
        role: direction === 'IN' ? 'user' : 'assistant',
        content: text,
      })),
  );
}
