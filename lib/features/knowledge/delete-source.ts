import { type Agent, readAgents } from '#lib/features/ai/agent.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, remove, type Write, write } from '#lib/platform/db/write.ts';
import { planContentRemoval } from './content.ts';
import { planSourceRelease } from './knowledge-usage.ts';
import { planReading } from './plan-reading.ts';
import { requireSource, type Source } from './source.ts';

/** A transaction has at most 100 writes. */
const agentsAtOnce = 50;

/**
 * Deletes a source and removes it from the agents that use it. A worker then deletes its files.
 *
 * @throws 404
 */
export function deleteSource(organizationId: string, sourceId: string): Promise<void> {
  return retryWhenOvertaken('knowledge source', async () => {
    const source = await requireSource(organizationId, sourceId);
    const agents = (await readAgents(organizationId)).filter(({ knowledgeSourceIds }) =>
      knowledgeSourceIds?.includes(sourceId),
    );
    for (let at = agentsAtOnce; at < agents.length; at += agentsAtOnce) {
      await write(
        ...agents.slice(at, at + agentsAtOnce).map((agent) => planForgetting(agent, sourceId)),
      );
    }
    await write(
      ...planSourceRemoval(source),
      ...agents.slice(0, agentsAtOnce).map((agent) => planForgetting(agent, sourceId)),
    );
  });
}

function planForgetting(
  { organizationId, id, version, knowledgeSourceIds = [] }: Agent,
  sourceId: string,
): Write {
  return change(organizationKeys.record(organizationId, 'AGENT', id), {
    set: {
      knowledgeSourceIds: knowledgeSourceIds.filter((known) => known !== sourceId),
      version: version + 1,
      updatedAt: timestamp(),
    },
    when: equals('version', version),
  });
}

/** Fails if the source has changed since it was read, or if another agent has started to use it. */
export function planSourceRemoval(source: Source): readonly Write[] {
  const { organizationId, id, version, namings, chunkCount, status } = source;

  return [
    remove(knowledgeKeys.knowledgeSource(organizationId, id), {
      when: allOf(
        equals('version', version),
        equals('status', status),
        equals('chunkCount', chunkCount),
        unchanged('namings', namings),
      ),
    }),
    ...planContentRemoval(source),
    planSourceRelease(organizationId, chunkCount),
    planReading(source),
  ];
}
