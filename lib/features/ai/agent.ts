import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { listRecords, requireRecord, type SmallRecord } from '#lib/platform/small-record.ts';
import type { AgentStatus, BusinessHours } from '#schemas/ai.ts';
import type { Channel } from '#schemas/platforms.ts';
import type { TemplateKind } from './template-uses.ts';

export type Agent = SmallRecord & {
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
  /** Replies with lower confidence are not sent. */
  readonly minConfidence?: number;
  readonly status: AgentStatus;
};

export const agentKind = { resource: 'AI agent', kind: 'AGENT' } as const;

/** Also applies to conversations without an agent. */
export const defaultMaxResponses = 10;

export function findAgent(organizationId: string, agentId: string): Promise<Agent | undefined> {
  return get<Agent>(organizationKeys.record(organizationId, 'AGENT', agentId));
}

/** @throws 404 */
export function requireAgent(organizationId: string, id: string): Promise<Agent> {
  return requireRecord(agentKind, organizationId, id);
}

/** Returns all agents, newest first. */
export function readAgents(organizationId: string): Promise<readonly Agent[]> {
  return listRecords(agentKind, organizationId);
}
