import { eventShards, socialRanges } from '#lib/platform/db/keys/social.ts';

import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import { inboundEventWork } from '#schemas/work-payloads.ts';
import type { NetworkCustomer, PersonScope } from './person-scope.ts';

/**
 * Erases network events that have not become messages: those that wait, and those that failed
 * permanently.
 */
export async function eraseInboundEvents(scope: PersonScope) {
  await removeMany(await findEvents(scope));
}

export async function* collectInboundEvents(scope: PersonScope) {
  for (const { payload } of await findEvents(scope)) {
    yield inboundEventWork.parse(payload).event;
  }
}

async function findEvents({ organizationId, customers }: PersonScope) {
  const shards = await Promise.all(
    Array.from({ length: eventShards }, (_, shard) =>
      query<OutboxItem>(socialRanges.inboundEventWork(organizationId, shard)),
    ),
  );

  return shards.flat().filter(({ payload }) => isOf(customers, payload));
}

function isOf(customers: readonly NetworkCustomer[], payload: string): boolean {
  const { platform, event } = inboundEventWork.parse(payload);

  return customers.some(
    (customer) =>
      customer.platform === platform &&
      (customer.id === event.from.id || customer.id === event.to?.id),
  );
}
