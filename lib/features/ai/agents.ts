import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { listMatching, type Page } from '#lib/platform/db/list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import {
  type Alongside,
  applied,
  change,
  create,
  discard,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, conflict, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { planNameChange, planNameClaim, planNameRelease } from '#lib/platform/unique-names.ts';
import type * as contracts from '#schemas/ai.ts';
import type { AgentStatus, BusinessHours } from '#schemas/ai.ts';
import { defaultPageLimit } from '#schemas/common.ts';
import type { BodyOf, QueryOf } from '#schemas/contract.ts';
import type { Channel } from '#schemas/platforms.ts';
import { requireFittingPrompt } from './prompt.ts';
import {
  type NamedTemplate,
  planTemplateUse,
  requireTemplates,
  type TemplateKind,
} from './template-uses.ts';
import { averageResponseTime, readUsage, satisfactionScore } from './usage.ts';

export type Agent = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string;
  readonly promptTemplateId: string;
  readonly templateKind: TemplateKind;
  readonly channels: readonly Channel[];
  readonly autoResponse: boolean;
  /** In seconds. */
  readonly responseDelay: number;
  readonly maxResponsesPerConversation: number;
  readonly businessHoursOnly: boolean;
  readonly businessHours?: BusinessHours;
  /** Values of the variables that the template declares. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly knowledgeSourceIds?: readonly string[];
  /** Replies with less confidence are not sent. */
  readonly minConfidence?: number;
  readonly status: AgentStatus;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type AgentDetails = BodyOf<typeof contracts.createAgent>;

export type AgentPatch = BodyOf<typeof contracts.updateAgent>;

/** Also applies to conversations without an agent. */
export const defaultMaxResponses = 10;

function requireHours(
  businessHoursOnly: boolean,
  businessHours: AgentPatch['businessHours'],
): void {
  if (businessHoursOnly && !businessHours) {
    throw badRequest('businessHours is required when businessHoursOnly is true');
  }
}

function templateOf({ promptTemplateId, templateKind }: Agent): NamedTemplate {
  return { id: promptTemplateId, kind: templateKind };
}

function planAgentAudit(
  actorId: string,
  action: 'agent.created' | 'agent.updated' | 'agent.deleted',
  agent: Agent,
) {
  return planAudit(agent.organizationId, {
    action,
    actorId,
    targetType: 'agent',
    targetId: agent.id,
    details: { name: agent.name },
  });
}

/**
 * Counts that an agent begins to name sources of knowledge, so that none is deleted in between.
 * Fails with a 404 for a source that does not exist.
 */
function planNamings(
  organizationId: string,
  named: readonly string[] | null | undefined,
  before: readonly string[] = [],
): readonly Write[] {
  return (named ?? [])
    .filter((id) => !before.includes(id))
    .map((id) =>
      change(keys.knowledgeSource(organizationId, id), {
        add: { namings: 1 },
        refused: () => notFound('Knowledge source'),
      }),
    );
}

/**
 * @throws 404 for an unknown template or source of knowledge, 400 for a long prompt, 409 if the
 * name is taken.
 */
export async function createAgent(
  organizationId: string,
  actorId: string,
  details: AgentDetails,
  alongside: Alongside<Agent>,
): Promise<Agent> {
  const businessHoursOnly = details.businessHoursOnly ?? false;
  requireHours(businessHoursOnly, details.businessHours);
  const [template] = await requireTemplates(organizationId, [details.promptTemplateId]);
  if (!template) {
    throw notFound('Prompt template');
  }
  requireFittingPrompt('variables', template.source, details.variables ?? {});
  const now = timestamp();
  const agent = {
    ...details,
    id: newId(),
    organizationId,
    templateKind: template.kind,
    autoResponse: details.autoResponse ?? true,
    responseDelay: details.responseDelay ?? 0,
    maxResponsesPerConversation: details.maxResponsesPerConversation ?? defaultMaxResponses,
    businessHoursOnly,
    status: 'ACTIVE',
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as Agent;
  await write(
    ...(await alongside(agent)),
    planNameClaim(organizationId, 'AGENT', agent),
    create(keys.agent(organizationId, agent.id), agent),
    planQuotaUse(keys.counter(organizationId, 'AGENTS'), 'agents'),
    planTemplateUse(organizationId, template, 1),
    ...planNamings(organizationId, details.knowledgeSourceIds),
    ...planAgentAudit(actorId, 'agent.created', agent),
  );

  return agent;
}

export function findAgent(organizationId: string, agentId: string): Promise<Agent | undefined> {
  return get<Agent>(keys.agent(organizationId, agentId));
}

/** @throws 404 */
export async function requireAgent(organizationId: string, agentId: string): Promise<Agent> {
  return requireFound(await findAgent(organizationId, agentId), 'AI agent');
}

export type AgentFilters = QueryOf<typeof contracts.listAgents>;

/** More than any quota. */
const allAgents = 100_000;

/** Returns matching agents, newest first: one page of them, or all if no page is requested. */
export function listAgents(
  organizationId: string,
  { status, channel, page, limit, cursor }: AgentFilters,
): Promise<Page<Agent>> {
  const isPaged = page !== undefined || cursor !== undefined;
  const request = { page, cursor, limit: limit ?? (isPaged ? defaultPageLimit : allAgents) };

  return listMatching<Agent>(
    ranges.agents(organizationId),
    request,
    (agent) =>
      (!status || agent.status === status) && (!channel || agent.channels.includes(channel)),
  );
}

/** Returns all agents of an organization, newest first. */
export function readAgents(organizationId: string): Promise<readonly Agent[]> {
  return query<Agent>(ranges.agents(organizationId), { newestFirst: true });
}

async function planTemplateChanges(agent: Agent, patch: AgentPatch) {
  const { promptTemplateId = agent.promptTemplateId } = patch;
  const isSame = promptTemplateId === agent.promptTemplateId;
  if (isSame && !patch.variables) {
    return { set: {}, writes: [] };
  }
  const { organizationId } = agent;
  const [template] = await requireTemplates(organizationId, [promptTemplateId]);
  if (!template) {
    throw notFound('Prompt template');
  }
  const { variables = agent.variables } = patch;
  requireFittingPrompt('variables', template.source, variables ?? {});
  if (isSame) {
    return { set: {}, writes: [] };
  }

  return {
    set: { templateKind: template.kind },
    writes: [
      planTemplateUse(organizationId, templateOf(agent), -1),
      planTemplateUse(organizationId, template, 1),
    ],
  };
}

function changedConcurrently(stored: object | undefined): Error {
  return stored
    ? conflict('The agent was changed by another request. Try again')
    : notFound('AI agent');
}

/** @throws 404 for an unknown agent, template or source, 400 for a long prompt, 409 if the name is taken. */
export async function updateAgent(
  organizationId: string,
  actorId: string,
  agentId: string,
  patch: AgentPatch,
): Promise<Agent> {
  const agent = await requireAgent(organizationId, agentId);
  if (!changesSomething(agent, patch)) {
    return agent;
  }
  requireHours(
    patch.businessHoursOnly ?? agent.businessHoursOnly,
    patch.businessHours === undefined ? agent.businessHours : patch.businessHours,
  );
  const templates = await planTemplateChanges(agent, patch);
  const set = {
    ...definedFields(patch),
    ...templates.set,
    version: agent.version + 1,
    updatedAt: timestamp(),
  };
  await write(
    change(keys.agent(organizationId, agentId), {
      set,
      when: equals('version', agent.version),
      refused: changedConcurrently,
    }),
    ...templates.writes,
    ...planNamings(organizationId, patch.knowledgeSourceIds, agent.knowledgeSourceIds),
    ...planNameChange(organizationId, 'AGENT', agent, patch.name ?? undefined),
    ...planAgentAudit(actorId, 'agent.updated', agent),
  );

  return applied(agent, set);
}

/** @throws 404 */
export async function deleteAgent(
  organizationId: string,
  actorId: string,
  agentId: string,
): Promise<void> {
  const agent = await requireAgent(organizationId, agentId);
  await write(
    remove(keys.agent(organizationId, agentId), {
      when: equals('version', agent.version),
      refused: changedConcurrently,
    }),
    planNameRelease(organizationId, 'AGENT', agent),
    discard(keys.aiUsage(organizationId, 'AGENT', agentId)),
    planQuotaRelease(keys.counter(organizationId, 'AGENTS')),
    planTemplateUse(organizationId, templateOf(agent), -1),
    ...planAgentAudit(actorId, 'agent.deleted', agent),
  );
}

export async function presentAgents(organizationId: string, agents: readonly Agent[]) {
  const ids = agents.map(({ id }) => id);
  const figures = await readUsage(organizationId, 'AGENT', ids);

  return agents.map((agent, index) => {
    const own = figures[index] ?? {};

    return {
      ...agent,
      conversationCount: own.conversations ?? 0,
      averageResponseTime: averageResponseTime(own),
      satisfactionScore: satisfactionScore(own),
    };
  });
}
