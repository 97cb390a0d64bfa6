import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { listMatching, type Page } from '#lib/platform/db/lists/list.ts';
import { applied, change, discard, type ExtraWrites, type Write } from '#lib/platform/db/write.ts';
import { notFound, rejectProblems } from '#lib/platform/errors/failures.ts';
import { records } from '#lib/platform/records.ts';
import type * as contracts from '#schemas/ai.ts';
import { defaultPageLimit } from '#schemas/common.ts';
import type { BodyOf, QueryOf } from '#schemas/contract.ts';
import { type Agent, agentKind, defaultMaxResponses } from './agent.ts';
import { averageResponseTime, readAnswerCounts, satisfactionScore } from './answer-counts.ts';
import { promptProblems } from './prompt.ts';
import { type NamedTemplate, planTemplateUse, requireTemplates } from './template-uses.ts';

const agents = /* @__PURE__ */ records<Agent>(agentKind, {
  counter: 'AGENTS',
  quota: 'agents',
  uniqueName: ['AGENT_NAME_EXISTS', 'Agent name already exists'],
});

export type AgentDetails = BodyOf<typeof contracts.createAgent>;

export type AgentPatch = BodyOf<typeof contracts.updateAgent>;

/** Returns a problem if the agent needs hours but has none. */
export function hoursProblems({
  businessHoursOnly,
  businessHours,
}: {
  readonly businessHoursOnly?: boolean | null | undefined;
  readonly businessHours?: AgentPatch['businessHours'];
}): readonly string[] {
  return businessHoursOnly && !businessHours
    ? ['businessHours is required when businessHoursOnly is true']
    : [];
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
    targetId: agent.id,
    details: { name: agent.name },
  });
}

/**
 * Returns writes that count the agent's references to knowledge sources, so that none of these is
 * deleted in the meantime. They fail with a 404 for a source that does not exist.
 */
function planNamings(
  organizationId: string,
  named: readonly string[] | null | undefined,
  before: readonly string[] = [],
): readonly Write[] {
  return (named ?? [])
    .filter((id) => !before.includes(id))
    .map((id) =>
      change(knowledgeKeys.knowledgeSource(organizationId, id), {
        add: { namings: 1 },
        onConditionFailed: () => notFound('Knowledge source'),
      }),
    );
}

/**
 * @throws 404 for an unknown template or knowledge source, 400 for a long prompt, 409 if the name
 * is taken.
 */
export async function createAgent(
  organizationId: string,
  actorId: string,
  details: AgentDetails,
  extraWrites: ExtraWrites<Agent>,
): Promise<Agent> {
  const [template] = await requireTemplates(organizationId, [details.promptTemplateId]);
  if (!template) {
    throw notFound('Prompt template');
  }
  rejectProblems(promptProblems('variables', template.source, details.variables ?? {}));
  const fields = {
    ...details,
    templateKind: template.kind,
    autoResponse: details.autoResponse ?? true,
    responseDelay: details.responseDelay ?? 0,
    maxResponsesPerConversation: details.maxResponsesPerConversation ?? defaultMaxResponses,
    businessHoursOnly: details.businessHoursOnly ?? false,
    status: 'ACTIVE',
  } as Agent;

  return agents.create(organizationId, fields, extraWrites, (agent) => [
    planTemplateUse(organizationId, template, 1),
    ...planNamings(organizationId, details.knowledgeSourceIds),
    ...planAgentAudit(actorId, 'agent.created', agent),
  ]);
}

export type AgentFilters = QueryOf<typeof contracts.listAgents>;

/** More agents than any quota allows. */
const allAgents = 100_000;

/** Returns matching agents, newest first: one page of them, or all if no page is requested. */
export function listAgents(
  organizationId: string,
  { status, channel, page, limit, cursor }: AgentFilters,
): Promise<Page<Agent>> {
  const isPaged = page !== undefined || cursor !== undefined;
  const request = { page, cursor, limit: limit ?? (isPaged ? defaultPageLimit : allAgents) };

  return listMatching<Agent>(
    organizationRanges.records(organizationId, 'AGENT'),
    request,
    (agent) =>
      (!status || agent.status === status) && (!channel || agent.channels.includes(channel)),
  );
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
  rejectProblems(promptProblems('variables', template.source, variables ?? {}));
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

/** @throws 404 for an unknown agent, template or source, 400 for a long prompt, 409 if the name is taken. */
export function updateAgent(
  organizationId: string,
  actorId: string,
  agentId: string,
  patch: AgentPatch,
): Promise<Agent> {
  return agents.update(organizationId, agentId, patch, {
    plan: async (agent) => {
      rejectProblems(hoursProblems(applied(agent, patch)));
      const { set, writes } = await planTemplateChanges(agent, patch);

      return {
        set,
        writes: [
          ...writes,
          ...planNamings(organizationId, patch.knowledgeSourceIds, agent.knowledgeSourceIds),
          ...planAgentAudit(actorId, 'agent.updated', agent),
        ],
      };
    },
  });
}

/** @throws 404 */
export function deleteAgent(
  organizationId: string,
  actorId: string,
  agentId: string,
): Promise<void> {
  return agents.remove(organizationId, agentId, (agent) => [
    discard(campaignKeys.answerCounts(organizationId, 'AGENT', agentId)),
    planTemplateUse(organizationId, templateOf(agent), -1),
    ...planAgentAudit(actorId, 'agent.deleted', agent),
  ]);
}

export async function presentAgents(organizationId: string, shown: readonly Agent[]) {
  const ids = shown.map(({ id }) => id);
  const counts = await readAnswerCounts(organizationId, 'AGENT', ids);

  return shown.map((agent, index) => {
    const own = counts[index] ?? {};

    return {
      ...agent,
      conversationCount: own.conversations ?? 0,
      averageResponseTime: averageResponseTime(own),
      satisfactionScore: satisfactionScore(own),
    };
  });
}
