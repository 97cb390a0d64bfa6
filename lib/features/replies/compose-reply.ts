import { lastTurns } from '#lib/features/ai/last-turns.ts';
import {
  type BuiltPrompt,
  buildPrompt,
  customerTurns,
  type Knowledge,
  knowledgeTurns,
  markedKnowledge,
} from '#lib/features/ai/prompt.ts';
import {
  type Found,
  findPassages,
  maxPromptPassages,
  readNamedSources,
} from '#lib/features/knowledge/find-passages.ts';
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

export type ComposedReply = Pick<
  GeneratedReply,
  'action' | 'confidence' | 'isCovered' | 'usage'
> & {
  readonly text: string;
  /** What the customer asked, as it was looked up in the knowledge. */
  readonly question: string;
  /** Absent if the agent has no knowledge. */
  readonly found?: Found;
  /** The text repeats the instructions, or links to a host that the business does not name. */
  readonly isUnsafe: boolean;
  /** Template placeholders that had no value. */
  readonly missing: readonly string[];
};

export function promptOf(
  { template, target, answerer, ending }: ReplyScene,
  knowledge = (answerer.knowledgeSourceIds ?? []).length > 0 ? markedKnowledge([]) : undefined,
): BuiltPrompt {
  const { platform, channel } = target;
  const room = maxReplyLength(platform, channel) - replyLength(platform, channel, ending);
  const context = {
    platform,
    variables: answerer.variables,
    maxReplyLength: Math.min(room, maxRequestedLength),
  };

  return buildPrompt(template, context, knowledge);
}

/**
 * Generates a reply with the AI service, ends it with the disclosure, and shortens the reply to the
 * network's limit. An empty reply is replaced by the handover text.
 */
export async function composeReply(
  scene: ReplyScene,
  answered: readonly Message[],
): Promise<ComposedReply> {
  const { target, history, ending } = scene;
  const { organizationId, platform, channel, customer } = target;
  const question = questionOf(answered);
  const found = await findKnowledge(scene, question);
  const knowledge = found && markedKnowledge(found.passages);
  const { instructions, missing } = promptOf(scene, knowledge);
  const turns = [
    ...customerTurns(customer.name),
    ...knowledgeTurns(knowledge),
    ...turnsOf(history),
  ];
  const { reply, ...generated } = await generateReply({
    organizationId,
    instructions,
    turns,
    asksCoverage: found !== undefined,
  });
  const answer = withoutBidiControls(reply).trim();

  return {
    ...generated,
    text: cutText(platform, channel, answer || handOverText, ending),
    isUnsafe: isUnsafeAnswer(answer, instructions, textsOf(knowledge)),
    question,
    ...(found ? { found } : {}),
    missing,
  };
}

/** The business has published what its knowledge names. */
function textsOf(knowledge: Knowledge | undefined): readonly string[] {
  return knowledge?.passages.map(({ text }) => text) ?? [];
}

function questionOf(answered: readonly Message[]): string {
  return answered
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

async function findKnowledge(
  { target: { organizationId }, answerer }: ReplyScene,
  question: string,
): Promise<Found | undefined> {
  const { knowledgeSourceIds = [] } = answerer;

  return knowledgeSourceIds.length === 0
    ? undefined
    : findPassages(organizationId, () => readNamedSources(organizationId, knowledgeSourceIds), {
        question,
        limit: maxPromptPassages,
      });
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
