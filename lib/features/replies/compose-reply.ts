import { lastTurns } from '#lib/features/ai/last-turns.ts';
import {
  type BuiltPrompt,
  buildPrompt,
  customerTurns,
  knowledgeTurns,
  markedKnowledge,
} from '#lib/features/ai/prompt.ts';
import type { Campaign } from '#lib/features/campaigns/campaign.ts';
import { findPostIdByPlatformId } from '#lib/features/content/posts/published-claim.ts';
import type { Message } from '#lib/features/conversations/conversation.ts';
import {
  type Found,
  findPassages,
  maxPromptPassages,
  readNamedSources,
} from '#lib/features/knowledge/find-passages.ts';
import { questionOf } from '#lib/features/knowledge/gaps.ts';
import { planPersonalLinks } from '#lib/features/personal-links/personal-links.ts';
import { withoutBidiControls } from '#lib/platform/characters.ts';
import { cutTemplateText, cutText } from '#lib/vendors/networks/cut-text.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import {
  type ChatTurn,
  type GeneratedReply,
  generateReply,
} from '#lib/vendors/openai/ai-service.ts';
import type { Answer } from './claim-answer.ts';
import type { FixedAnswer, ReplyContext } from './reply-context.ts';
import { isUnsafeAnswer } from './unsafe-answer.ts';

/**
 * Limits the length requested from the AI, because replies have a token limit and should be short.
 */
const maxRequestedLength = 2_000;

const handOverText =
  'Thank you for your message. A member of our team will get back to you here as soon as possible.';

export type ComposedReply = Pick<
  GeneratedReply,
  'action' | 'confidence' | 'isCovered' | 'usage'
> & {
  readonly text: string;
  /** The customer's question, as it was searched in the knowledge. */
  readonly question: string;
  /** Absent if the agent has no knowledge. */
  readonly found?: Found;
  /**
   * True if the text repeats the instructions, or links to a host that the business's texts do not
   * contain.
   */
  readonly isUnsafe: boolean;
  /** Template placeholders that had no value. */
  readonly missing: readonly string[];
};

export function promptOf(
  { template, target, responder, ending, organization }: ReplyContext,
  knowledge = (responder.knowledgeSourceIds ?? []).length > 0 ? markedKnowledge([]) : undefined,
): BuiltPrompt {
  const { platform, channel } = target;
  const room = maxReplyLength(platform, channel) - replyLength(platform, channel, ending);
  const context = {
    organization,
    platform,
    variables: responder.variables,
    maxReplyLength: Math.min(room, maxRequestedLength),
  };

  return buildPrompt(template, context, knowledge);
}

/**
 * Generates a reply with the AI service, appends the disclosure, and shortens the reply to the
 * network's limit. An empty reply is replaced with the handover text.
 */
export async function composeReply(
  context: ReplyContext,
  answered: readonly Message[],
): Promise<ComposedReply> {
  const { target, history, ending } = context;
  const { organizationId, platform, channel, customer } = target;
  const question = questionOf(answered.map(({ text }) => text));
  const found = await findKnowledge(context, question);
  const knowledge = found && markedKnowledge(found.passages);
  const { instructions, missing } = promptOf(context, knowledge);
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
    isUnsafe: isUnsafeAnswer(answer, instructions, {
      ownTexts: [...(found?.ownTexts ?? []), ...textsOf(context.campaign)],
      questions: found?.questions ?? [],
      customerTexts: [customer.name, ...turnsOf(history).flatMap(textOfCustomer)],
    }),
    question,
    ...(found ? { found } : {}),
    missing,
  };
}

/**
 * Plans the campaign's fixed private answer, without the AI. It ends with the disclosure, and its
 * buttons open the customer's own short links.
 */
export async function planFixedAnswer(
  context: ReplyContext,
  { privateReply: { text, buttons }, campaign }: FixedAnswer,
): Promise<Answer> {
  const { source, target, ending } = context;
  const { platform, channel } = target;
  const postId = buttons.length > 0 ? await findCommentedPost(context) : undefined;
  const fixed = await planPersonalLinks(target, buttons, { campaign, postId, source });
  const isTemplate = buttons.length > 0;

  return {
    text: isTemplate ? cutTemplateText(text, ending) : cutText(platform, channel, text, ending),
    fixed,
  };
}

/** Returns our post that the customer commented on, if any. */
async function findCommentedPost({
  source: { organizationId, socialAccountId },
  answered: { platformPostId },
}: ReplyContext): Promise<string | undefined> {
  return platformPostId === undefined
    ? undefined
    : findPostIdByPlatformId(organizationId, socialAccountId, platformPostId);
}

function textOfCustomer({ role, content }: ChatTurn): readonly string[] {
  return role === 'user' ? [content] : [];
}

/** Returns the texts that a campaign sends without the AI. */
function textsOf(campaign: Campaign | undefined): readonly string[] {
  return (campaign?.agentConfigs ?? []).flatMap(({ privateReply, followUp }) => [
    ...(privateReply ? [privateReply.text] : []),
    ...(privateReply?.buttons ?? []).flatMap((button) => ('url' in button ? [button.url] : [])),
    ...(followUp ? [followUp.text] : []),
  ]);
}

async function findKnowledge(
  { target: { organizationId }, responder }: ReplyContext,
  question: string,
): Promise<Found | undefined> {
  const { knowledgeSourceIds = [] } = responder;

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
