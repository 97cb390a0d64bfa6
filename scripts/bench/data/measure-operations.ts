import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newId } from '#lib/platform/ids.ts';
import { listPipelines } from '#schemas/leads.ts';
import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';
import { createWorld } from '../calls/world.ts';
import type { DataScope } from './measure-data.ts';
import {
  type Operation,
  operationsOnInbox,
  operationsOnLeads,
  operationsOnPosts,
} from './operations.ts';
import type { Cost } from './report-costs.ts';
import type { SampleTenant } from './sample-leads.ts';
import { newInboxTenant, seedConversations } from './seed-conversations.ts';
import { seedLeads } from './seed-leads.ts';
import { newCalendarTenant, seedPosts } from './seed-posts.ts';

export type DataBench = {
  /** Bypasses the meter. */
  readonly client: DynamoDBDocumentClient;
  readonly meter: Meter;
  readonly sandboxUrl: string;
};

/**
 * Measures each operation's cost in a new organization with `size` leads and, unless the scope leaves
 * them out, as many conversations and posts.
 */
export async function measureOperations(
  { client, meter, sandboxUrl }: DataBench,
  size: number,
  { leadsOnly }: DataScope,
): Promise<ReadonlyMap<string, Cost>> {
  const world = createWorld(sandboxUrl);
  const { token, userId, organizationId } = await world.newAccount();
  const params = { organization_id: organizationId };
  const { pipelines } = await world.call(listPipelines, { token, params });
  const tenant: SampleTenant = {
    organizationId,
    pipelineId: pipelines[0].id,
    stageIds: pipelines[0].stages.map(({ id }: { readonly id: string }) => id),
    assigneeIds: [userId, newId(), newId(), newId()],
    socialAccountId: newId(),
    contentPostId: newId(),
  };
  const leadIds = await seedLeads(client, tenant, size);
  const operations: Operation[] = [];
  if (!leadsOnly) {
    const inbox = newInboxTenant(organizationId);
    await seedConversations(client, inbox, size);
    const calendar = newCalendarTenant(organizationId);
    await seedPosts(client, calendar, size);
    operations.push(...operationsOnInbox(inbox), ...operationsOnPosts(calendar));
  }
  operations.push(...operationsOnLeads({ tenant, leadIds }));
  const costs = new Map<string, Cost>();
  for (const { name, contract, prepare } of operations) {
    const call = await prepare((other, options) =>
      world.call(other, { token, ...options, params: { ...params, ...options.params } }),
    );
    const options = { token, ...call, params: { ...params, ...call.params } };
    const metered = await meter.measure(() => world.call(contract, options));
    costs.set(name, {
      trips: metered.roundTrips,
      readUnits: metered.readUnits,
      writeUnits: metered.writeUnits,
    });
  }

  return costs;
}
