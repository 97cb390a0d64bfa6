import { type Agent, findAgent } from '#lib/features/ai/agent.ts';
import { oneLine } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { apiError, badRequest } from '#lib/platform/errors/failures.ts';
import { withoutAddresses } from '#lib/platform/web-hosts.ts';
import { maxKnowledgeSources } from '#schemas/ai.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { type answerKnowledgeGap, faqIsFull, maxFaqPairs } from '#schemas/knowledge.ts';
import { planRevision } from './change-source.ts';
import { type FaqPair, readContent, type SourceContent } from './content.ts';
import { newSource, planSource } from './create-source.ts';
import { type Gap, planGapRemoval, requireGap } from './gaps.ts';
import { type KnowledgeCounter, planOnlySourceUse, requireRoom } from './knowledge-usage.ts';
import { planReading } from './plan-reading.ts';
import { listSources, requireSource, type Source } from './source.ts';

/**
 * The name of the FAQ source that new answers are added to. If several have this name, the oldest
 * is used.
 */
const answersName = 'Answers';

type Wanted = BodyOf<typeof answerKnowledgeGap>;
type Planned = { readonly source: Source; readonly writes: readonly Write[] };

/**
 * Adds a question and its answer to an FAQ source, and deletes the gap.
 *
 * @throws 404; 400 if the source is not an FAQ, or the customer only sent web addresses; 409 if it
 * is full or a quota is exceeded.
 */
export function answerGap(
  organizationId: string,
  gapId: string,
  { question, answer, sourceId }: Wanted,
  extraWrites: ExtraWrites<Source>,
): Promise<Source> {
  return retryWhenOvertaken('knowledge source', async () => {
    const gap = await requireGap(organizationId, gapId);
    const pair = { question: question ?? ownQuestionOf(gap), answer };
    // Read before the sources, so that creating a source in between changes the counter.
    const counter = await requireRoom(organizationId, 1);
    const { source, writes } = sourceId
      ? await planPair(await requireFaq(organizationId, sourceId), pair)
      : await planAnswers(organizationId, { gap, counter }, pair);
    await write(...writes, ...planGapRemoval(organizationId, gap), ...(await extraWrites(source)));

    return source;
  });
}

/** Returns the customer's question for other people to see, without web addresses. */
function ownQuestionOf({ question }: Gap): string {
  const words = oneLine(withoutAddresses(question));
  if (words === '') {
    throw badRequest('question is required: the customer only sent web addresses');
  }

  return words;
}

async function requireFaq(organizationId: string, sourceId: string): Promise<Source> {
  const source = await requireSource(organizationId, sourceId);
  if (source.type !== 'FAQ') {
    throw badRequest('sourceId must name a FAQ');
  }

  return source;
}

async function planPair(faq: Source, pair: FaqPair): Promise<Planned> {
  const content: SourceContent | undefined = await readContent(faq);
  const pairs = content && 'faq' in content ? content.faq : [];
  if (pairs.length >= maxFaqPairs) {
    throw apiError('QUOTA_EXCEEDED', faqIsFull, {
      fields: { quota: { name: 'faqPairs', limit: maxFaqPairs } },
    });
  }
  const { after, writes } = planRevision(faq, { content: { faq: [...pairs, pair] } });

  return { source: after, writes };
}

/**
 * Uses the FAQ source called `Answers`, or creates it. The agent that was asked then uses it too.
 */
async function planAnswers(
  organizationId: string,
  { gap, counter }: { readonly gap: Gap; readonly counter: KnowledgeCounter },
  pair: FaqPair,
): Promise<Planned> {
  const [sources, agent] = await Promise.all([
    listSources(organizationId),
    gap.agentId ? findAgent(organizationId, gap.agentId) : undefined,
  ]);
  const known = sources.findLast(({ type, name }) => type === 'FAQ' && name === answersName);
  const planned = known
    ? await planPair(known, pair)
    : planNewAnswers(organizationId, pair, () => planOnlySourceUse(organizationId, counter));

  return {
    source: planned.source,
    writes: [...planned.writes, ...planJoining(agent, planned.source.id)],
  };
}

function planNewAnswers(organizationId: string, pair: FaqPair, planUse: () => Write): Planned {
  const { source, writes } = planSource(newSource(organizationId, 'FAQ', answersName), {
    faq: [pair],
  });

  return { source, writes: [...writes, planUse(), planReading(source)] };
}

/** An agent without knowledge keeps having none. */
function planJoining(agent: Agent | undefined, sourceId: string): readonly Write[] {
  const { knowledgeSourceIds } = agent ?? {};
  if (
    !agent ||
    !knowledgeSourceIds ||
    knowledgeSourceIds.includes(sourceId) ||
    knowledgeSourceIds.length >= maxKnowledgeSources
  ) {
    return [];
  }

  return [
    change(organizationKeys.record(agent.organizationId, 'AGENT', agent.id), {
      set: {
        knowledgeSourceIds: [...knowledgeSourceIds, sourceId],
        version: agent.version + 1,
        updatedAt: timestamp(),
      },
      when: equals('version', agent.version),
    }),
  ];
}
