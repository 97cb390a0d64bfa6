import { newId } from '#lib/platform/ids.ts';
import { defaultPipeline } from '#scripts/fixtures/lead-fixtures.ts';
import { ask, newSoloWorld } from '#scripts/fixtures/world.ts';
import { driver } from '../calls/driver.ts';
import type { DataBench, DataScope } from './data-bench.ts';
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

/**
 * Measures each operation's cost in a new organization with `size` leads and, unless the scope leaves
 * them out, as many conversations and posts.
 */
export async function measureOperations(
  { client, meter }: DataBench,
  size: number,
  { leadsOnly }: DataScope,
): Promise<ReadonlyMap<string, Cost>> {
  const world = await newSoloWorld(driver);
  const { organizationId, people } = world;
  const pipeline = await defaultPipeline(world);
  const tenant: SampleTenant = {
    organizationId,
    pipelineId: pipeline.id,
    stageIds: pipeline.stages.map(({ id }) => id),
    assigneeIds: [people.OWNER.userId, newId(), newId(), newId()],
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
    const call = await prepare((other, options) => ask(world, other, options));
    const metered = await meter.measure(() => ask(world, contract, call));
    costs.set(name, {
      trips: metered.roundTrips,
      readUnits: metered.readUnits,
      writeUnits: metered.writeUnits,
    });
  }

  return costs;
}
