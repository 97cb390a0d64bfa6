import { cutToLength } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { equals, unchanged } from '#lib/platform/db/conditions.ts';
import { knowledgeKeys, knowledgeRanges } from '#lib/platform/db/keys/knowledge.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, count, create, remove, type Write, write } from '#lib/platform/db/write.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { bytesOf, floatsOf, product } from '#lib/platform/vectors.ts';

/** A question that the knowledge did not answer, together with similar ones. */
export type Gap = {
  readonly id: string;
  /** The wording of the first such question. */
  readonly question: string;
  /** The conversation of the first question, and the messages that contain it. */
  readonly firstConversationId: string;
  readonly messageIds?: readonly string[];
  /** The embedding of the question by `model`. */
  readonly vector: Uint8Array;
  readonly model: string;
  readonly count: number;
  readonly lastAskedAt: string;
  /** The latest three. */
  readonly conversationIds: readonly string[];
  /** The agent that was asked last. */
  readonly agentId?: string;
};

export type AskedQuestion = {
  readonly question: string;
  readonly vector: Float32Array;
  readonly conversationId: string;
  /** The messages that the question consists of. */
  readonly messages: ReadonlyArray<{ readonly id: string }>;
  readonly agentId: string | undefined;
};

const minSimilarity = 0.85;
const maxQuestionLength = 500;
const maxConversations = 3;
/**
 * A new question is compared with all of them. If there are more, the one that was asked longest
 * ago is replaced.
 */
const maxGaps = 500;

function counterKey(organizationId: string) {
  return organizationKeys.counter(organizationId, 'KNOWLEDGE_GAPS');
}

type GapCounter = { readonly value?: number; readonly found?: number };

function readCounter(organizationId: string): Promise<GapCounter | undefined> {
  return get<GapCounter>(counterKey(organizationId));
}

/**
 * Plans that a question becomes a gap, or counts for a similar gap. Fails with ConditionNotMetError
 * if another question has become a gap since the read, because it may be similar. Then plan again.
 */
export async function planGap(
  organizationId: string,
  asked: AskedQuestion,
): Promise<readonly Write[]> {
  const [counter, gaps] = await Promise.all([
    readCounter(organizationId),
    query<Gap>(knowledgeRanges.knowledgeGaps(organizationId)),
  ]);
  const isOnly = unchanged('found', counter?.found);
  const similar = mostSimilar(gaps, asked.vector);
  if (similar) {
    return [planRepetition(organizationId, similar, asked)];
  }
  const gap = newGap(asked);
  const oldest = gaps.length < maxGaps ? undefined : leastRecent(gaps);

  return [
    create(knowledgeKeys.knowledgeGap(organizationId, gap.id), gap),
    ...asked.messages.map(({ id }) =>
      change(socialKeys.conversationMessage(organizationId, asked.conversationId, id), {
        set: { gapId: gap.id },
      }),
    ),
    change(counterKey(organizationId), {
      add: { found: 1, value: oldest ? 0 : 1 },
      when: isOnly,
      orCreate: true,
    }),
    ...(oldest ? [remove(knowledgeKeys.knowledgeGap(organizationId, oldest.id))] : []),
  ];
}

function mostSimilar(gaps: readonly Gap[], vector: Float32Array): Gap | undefined {
  const rated = gaps
    .map((gap) => ({ gap, known: floatsOf(gap.vector) }))
    .filter(({ gap, known }) => isComparable(gap, known, vector))
    .map(({ gap, known }) => ({ gap, score: product(known, 0, vector) }))
    .filter(({ score }) => score >= minSimilarity)
    .toSorted((one, other) => other.score - one.score);

  return rated[0]?.gap;
}

function isComparable({ model }: Gap, known: Float32Array, vector: Float32Array): boolean {
  return model === config.ai.embeddingModel && known.length === vector.length;
}

function leastRecent(gaps: readonly Gap[]): Gap | undefined {
  return gaps.toSorted((one, other) => (one.lastAskedAt < other.lastAskedAt ? -1 : 1))[0];
}

function newGap({ question, vector, conversationId, messages, agentId }: AskedQuestion): Gap {
  return {
    id: newId(),
    question: cutToLength(question, maxQuestionLength),
    firstConversationId: conversationId,
    messageIds: messages.map(({ id }) => id),
    vector: bytesOf(vector),
    model: config.ai.embeddingModel,
    count: 1,
    lastAskedAt: timestamp(),
    conversationIds: [conversationId],
    ...(agentId ? { agentId } : {}),
  };
}

function planRepetition(
  organizationId: string,
  { id, conversationIds, count: known }: Gap,
  { conversationId, agentId }: AskedQuestion,
): Write {
  const others = conversationIds.filter((one) => one !== conversationId);

  return change(knowledgeKeys.knowledgeGap(organizationId, id), {
    set: {
      count: known + 1,
      lastAskedAt: timestamp(),
      conversationIds: [conversationId, ...others].slice(0, maxConversations),
      ...(agentId ? { agentId } : {}),
    },
    when: equals('count', known),
  });
}

/** @throws 404 */
export async function requireGap(organizationId: string, gapId: string): Promise<Gap> {
  return requireFound(
    await get<Gap>(knowledgeKeys.knowledgeGap(organizationId, gapId)),
    'Knowledge gap',
  );
}

export function listGaps(organizationId: string, request: PageRequest): Promise<Page<Gap>> {
  return listPage<Gap>(
    knowledgeRanges.knowledgeGaps(organizationId),
    request,
    async () => (await readCounter(organizationId))?.value ?? 0,
  );
}

/** Fails if the gap no longer exists. */
export function planGapRemoval(organizationId: string, { id }: Pick<Gap, 'id'>): readonly Write[] {
  return [
    remove(knowledgeKeys.knowledgeGap(organizationId, id)),
    count(counterKey(organizationId), { value: -1 }),
  ];
}

/** @throws 404 */
export function deleteGap(organizationId: string, gapId: string): Promise<void> {
  return retryWhenOvertaken('knowledge gap', async () => {
    const gap = await requireGap(organizationId, gapId);
    await write(...planGapRemoval(organizationId, gap));
  });
}

/** Joins the customer's messages into one question. */
export function questionOf(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Updates a gap to the current text of its messages. Deletes it if they no longer have any text.
 * Idempotent.
 *
 * @param goneIds messages that are about to be removed.
 */
export async function renewGap(
  organizationId: string,
  gapId: string,
  goneIds: readonly string[] = [],
): Promise<void> {
  await retryWhenOvertaken('knowledge gap', async () => {
    const gap = await get<Gap>(knowledgeKeys.knowledgeGap(organizationId, gapId));
    if (!gap) {
      return;
    }
    const { firstConversationId, messageIds = [] } = gap;
    const messages = await getMany<{ readonly text: string }>(
      messageIds
        .filter((id) => !goneIds.includes(id))
        .map((id) => socialKeys.conversationMessage(organizationId, firstConversationId, id)),
    );
    const question = questionOf(messages.map((message) => message?.text ?? ''));
    await write(
      ...(question === ''
        ? planGapRemoval(organizationId, gap)
        : [change(gap, { set: { question: cutToLength(question, maxQuestionLength) } })]),
    );
  });
}

/**
 * Removes a conversation's data from the gaps. A gap that began with a question in the conversation
 * is deleted, even if others asked the same, because their texts are not stored. Other gaps remove
 * their reference to the conversation. Idempotent.
 */
export async function forgetConversationInGaps(
  organizationId: string,
  conversationId: string,
): Promise<void> {
  await retryWhenOvertaken('knowledge gap', async () => {
    const gaps = await query<Gap>(knowledgeRanges.knowledgeGaps(organizationId));
    for (const gap of gaps) {
      if (gap.firstConversationId === conversationId) {
        await write(...planGapRemoval(organizationId, gap));
      } else if (gap.conversationIds.includes(conversationId)) {
        await write(planForgetting(organizationId, gap, conversationId));
      }
    }
  });
}

function planForgetting(organizationId: string, gap: Gap, conversationId: string): Write {
  return change(knowledgeKeys.knowledgeGap(organizationId, gap.id), {
    set: { conversationIds: gap.conversationIds.filter((one) => one !== conversationId) },
    when: equals('count', gap.count),
  });
}
