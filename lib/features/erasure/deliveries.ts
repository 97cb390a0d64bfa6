import type { Key } from '#lib/platform/db/keys/key.ts';
import { webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import { query, queryPages } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { eraseDelivery } from '#lib/platform/webhooks/change-delivery.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import { events } from '#schemas/events.ts';
import type { StoredEvent } from '#schemas/work-payloads.ts';
import type { ErasureProgress, PersonScope } from './person-scope.ts';

/** Erases events whose deliveries have not been created yet, or failed permanently. */
export async function eraseWaitingEvents(scope: PersonScope) {
  await removeMany(await findWaiting(scope));
}

export async function* collectWaitingEvents(scope: PersonScope) {
  for (const { payload } of await findWaiting(scope)) {
    const { type, timestamp, data } = JSON.parse(payload) as StoredEvent;
    yield { type, timestamp, data: events[type].data.parse(data) };
  }
}

async function findWaiting(scope: PersonScope): Promise<ReadonlyArray<OutboxItem & Key>> {
  const isAbout = matcherOf(scope);
  const waiting = await query<OutboxItem>(webhookRanges.waitingEvents(scope.organizationId));

  return waiting.filter(({ payload }) => isAbout(payload));
}

/** Erases the deliveries of the last 30 days. The records are kept without a body. */
export async function eraseDeliveries(
  scope: PersonScope,
  { cursor, save, stopInTime }: ErasureProgress,
) {
  for await (const page of pagesOf(scope, cursor)) {
    stopInTime();
    for (const delivery of page.filter(matchingIn(scope))) {
      await eraseDelivery(delivery);
    }
    const lastRead = page.at(-1);
    if (lastRead) {
      await save(lastRead.sk);
    }
  }
}

export async function* collectDeliveries(scope: PersonScope) {
  for await (const page of pagesOf(scope, undefined)) {
    for (const { sourceId, body = '{}', createdAt } of page.filter(matchingIn(scope))) {
      yield { sourceId, createdAt, body: JSON.parse(body) };
    }
  }
}

type StoredDelivery = Delivery & Key;

function pagesOf({ organizationId }: PersonScope, from: string | undefined) {
  const range = webhookRanges.allWebhookDeliveries(organizationId);

  return queryPages<StoredDelivery>(from === undefined ? range : { ...range, from }, {
    attributes: ['pk', 'sk', 'organizationId', 'sourceId', 'id', 'status', 'body', 'createdAt'],
  });
}

function matchingIn(scope: PersonScope): (item: StoredDelivery) => boolean {
  const isAbout = matcherOf(scope);

  return ({ body }) => body !== undefined && isAbout(body);
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Returns a function that is true for the JSON of events about the person, except for the event
 * that reports the erasure.
 */
function matcherOf({ records, formerIds, addresses, customers }: PersonScope) {
  const ids = new Set([...formerIds, ...records.map(({ id }) => id)]);
  const quoted = [
    ...addresses.map((address) => JSON.stringify(address)),
    ...customers.map(({ id }) => `"id":${JSON.stringify(id)}`),
  ];

  return (json: string) =>
    ((json.match(uuids) ?? []).some((id) => ids.has(id)) ||
      quoted.some((text) => json.includes(text))) &&
    !isReport(json);
}

function isReport(json: string): boolean {
  const { type, data } = JSON.parse(json);

  return type === 'contact.deleted' && data.contact === null;
}
