import type { SQSBatchResponse } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { handler as removeOrganizations } from '#functions/workers/organization-removal.ts';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  createLeadActivity,
  createLeadWithContact,
  listPipelines,
  updateContact,
} from '#schemas/leads.ts';
import { declineInvitation, deleteOrganization, inviteMember } from '#schemas/organizations.ts';
import type { Moment } from '#scripts/dynamodb-proxy/faults.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { followBioLink, newLink } from '#tests/integration/bio/setup.ts';
import { type Account, freshEmail, newAccount, newMember } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess, runInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { inviteByMail } from '#tests/support/organizations.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { type Item, lastingItems, storedItems, storeItems } from '#tests/support/table.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';

// Many runs with several calls each, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const queues = process.env.QUEUE_URL_PREFIX;

const proxy = await useProxy();

afterEach(() => {
  process.env.QUEUE_URL_PREFIX = queues;
});

/** Creates an organization with at least one record of every kind. */
async function organizationWithEverything(): Promise<Account> {
  const owner = await newAccount();
  const { organizationId } = owner;
  const invite = (email: string) => inviteByMail(owner, organizationId, { email, role: 'VIEWER' });
  await newMember(owner, 'ADMIN');
  await newMember(owner, 'OWNER');
  const undecided = await newAccount();
  const { token } = await invite(undecided.email);
  await call(declineInvitation, { body: { token }, token: undecided.token });
  await invite(freshEmail());
  await call(inviteMember, {
    params: { organization_id: organizationId },
    body: { email: freshEmail('unsent'), role: 'ADMIN' },
    token: owner.token,
  });
  await addLead(owner);
  await addEndedSubscription(organizationId);
  const conversation = await storeConversation(organizationId);
  await storeMessage(conversation, { networkMessageId: `m_${conversation.id}` });

  return owner;
}

/** The record contains the customer's id, like the claim of the billing customer. */
async function addEndedSubscription(organizationId: string): Promise<void> {
  const { pk, sk } = keys.billing(organizationId);
  const account = (await storedItems(pk)).find((item) => item.sk === sk);
  await storeItems([
    {
      ...keys.subscription(organizationId),
      customerId: account?.customerId,
      status: 'canceled',
    },
  ]);
}

/** Adds a lead with an activity and a two-address contact, each in its own partition. */
async function addLead({ organizationId, token }: Account): Promise<void> {
  const params = { organization_id: organizationId };
  const { pipelines } = (await call(listPipelines, { params, token })).body;
  // Sorts after all characters of the Basic Multilingual Plane.
  const contact = { name: 'Charles 𠮷野', email: `${newId()}@facebook.invalid` };
  const body = { contact, pipelineId: pipelines[0].id, source: 'website' };
  const { lead } = (await call(createLeadWithContact, { params, body, token })).body;
  await call(updateContact, {
    params: { ...params, contact_id: lead.contactId },
    body: { email: freshEmail('charles') },
    token,
  });
  await call(createLeadActivity, {
    params: { ...params, lead_id: lead.id },
    body: { type: 'NOTE', description: 'Called back' },
    token,
  });
}

/** Adds as many records to the organization as another feature might. */
async function fill(organizationId: string, records: number): Promise<void> {
  const { pk } = keys.organization(organizationId);
  const name = 'x'.repeat(100);
  await storeItems(
    Array.from({ length: records }, (_, index) => ({ pk, sk: `RECORD#${index}`, name })),
  );
}

async function remove({ organizationId, token }: Account): Promise<void> {
  const { status } = await call(deleteOrganization, {
    params: { organization_id: organizationId },
    token,
  });
  expect(status).toBe(200);
}

/** Deletes the organization while the queue is unreachable, and returns the leftover work's key. */
async function removeWithoutQueue(owner: Account): Promise<Key> {
  process.env.QUEUE_URL_PREFIX = `${queues}gone-`;
  await remove(owner);
  process.env.QUEUE_URL_PREFIX = queues;
  const work = (await itemsOf(owner)).find(({ sk }) =>
    sk.startsWith('OUTBOX#organizationRemoval#'),
  );
  if (!work) {
    throw new Error('The deletion left no work');
  }

  return { pk: work.pk, sk: work.sk };
}

function messageFor(key: Key) {
  return sqsEvent([{ MessageId: newId(), Body: JSON.stringify(key) }]);
}

async function itemsOf({ organizationId }: Account): Promise<readonly Item[]> {
  return (await lastingItems()).filter(belongsTo(organizationId));
}

/**
 * Matches records in the organization's partition and claims that point to it. Sessions only
 * remember their current organization, and the credit ledger is kept for accounting.
 */
function belongsTo(organizationId: string) {
  return (item: Item) =>
    JSON.stringify(item).includes(organizationId) &&
    !item.sk.startsWith('SESSION#') &&
    item.pk !== `ORG#${organizationId}#LEDGER`;
}

function dump(items: readonly Item[]): readonly string[] {
  return items.map((item) => JSON.stringify(item, Object.keys(item).toSorted())).toSorted();
}

async function othersThan(...owners: readonly Account[]): Promise<readonly string[]> {
  const items = await lastingItems();

  return dump(
    items.filter(
      (item) =>
        // The founder and the service now have one organization less.
        item.sk !== 'FOUNDED' &&
        item.pk !== 'PLATFORM#ORGANIZATION_COUNTS' &&
        owners.every(({ organizationId }) => !belongsTo(organizationId)(item)),
    ),
  );
}

function advanceClock(ms: number): void {
  setClock(() => Date.now() + ms);
}

describe('organization removal', () => {
  test('removes every record of the organization and leaves other organizations unchanged', async () => {
    const [neighbour, doomed] = [
      await organizationWithEverything(),
      await organizationWithEverything(),
    ];
    const before = await othersThan(doomed);
    const kinds = (await itemsOf(doomed)).map(
      ({ pk, sk }) => `${pk.split('#')[0]} ${sk.split('#')[0]}`,
    );
    expect(kinds).toEqual(
      expect.arrayContaining([
        'ORG ORG',
        'ORG MEMBER',
        'ORG BILLING',
        'ORG SUBSCRIPTION',
        'ORG INVITATION',
        'ORG UNIQUE',
        'ORG AUDIT',
        'ORG OUTBOX',
        'ORG COUNT',
        'ORG PIPELINE',
        'ORG LEAD',
        'ORG ACTIVITY',
        'ORG CONTACT',
        'ORG LEAD_IN',
        'ORG CLAIM',
        'USER MEMBERSHIP',
        'CUSTOMER CLAIM',
        'INVITATION_TOKEN CLAIM',
      ]),
    );

    await remove(doomed);
    await removeDeleted(doomed.organizationId);

    expect(await itemsOf(doomed)).toEqual([]);
    expect(await othersThan(doomed)).toEqual(before);
    expect(await itemsOf(neighbour)).not.toEqual([]);
    expect(await storedItems(`ORG#${doomed.organizationId}#LEDGER`)).toHaveLength(1);
  });

  test('runs again after an hour to remove late writes', async () => {
    const doomed = await organizationWithEverything();
    const key = await removeWithoutQueue(doomed);
    await removeOrganizations(messageFor(key), lambdaContext(300_000));
    const { organizationId } = doomed;
    const kinds = async () => (await itemsOf(doomed)).map(({ sk }) => sk.split('#')[0]).toSorted();
    expect(await kinds()).toEqual(['ORG', 'OUTBOX']);
    const late = await storeConversation(organizationId);
    await storeMessage(late, { networkMessageId: `m_${late.id}` });
    const withLate = await kinds();

    advanceClock(hourMs - minuteMs);
    await sweep();
    await drainWork('organization-removal');
    expect(await kinds()).toEqual(withLate);

    advanceClock(hourMs + minuteMs);
    await sweep();
    await drainWork('organization-removal');
    expect(await kinds()).toEqual([]);
  });

  test('also removes expired records that still exist', async () => {
    const doomed = await organizationWithEverything();
    const key = await removeWithoutQueue(doomed);
    advanceClock(98 * dayMs);

    expect(await removeOrganizations(messageFor(key), lambdaContext(300_000))).toEqual({
      batchItemFailures: [],
    });

    expect(await itemsOf(doomed)).toEqual([]);
  });

  test('is started by the sweep when its message was lost', async () => {
    const doomed = await organizationWithEverything();
    await removeWithoutQueue(doomed);
    await drainWork();
    expect(await itemsOf(doomed)).not.toEqual([]);

    advanceClock(minuteMs + 1_000);
    expect(await sweep()).toEqual({ sent: 1 });
    await removeDeleted(doomed.organizationId);

    expect(await itemsOf(doomed)).toEqual([]);
  });

  test('is idempotent when it runs twice or concurrently', async () => {
    const [doomed, neighbour] = [
      await organizationWithEverything(),
      await organizationWithEverything(),
    ];
    await fill(doomed.organizationId, 300);
    const key = await removeWithoutQueue(doomed);
    const others = await othersThan(doomed);

    const runs = await Promise.all(
      Array.from({ length: 3 }, () => removeOrganizations(messageFor(key), lambdaContext(300_000))),
    );
    await removeDeleted(doomed.organizationId);
    const late = await removeOrganizations(messageFor(key), lambdaContext(300_000));

    expect([...runs, late]).toEqual(Array.from({ length: 4 }, () => ({ batchItemFailures: [] })));
    expect(await itemsOf(doomed)).toEqual([]);
    expect(await othersThan(doomed)).toEqual(others);
    expect(await itemsOf(neighbour)).not.toEqual([]);
  });

  test('ignores a forged message for an organization that is not deleted', async () => {
    const owner = await organizationWithEverything();
    const before = await itemsOf(owner);
    const forged = keys.outbox(keys.organization(owner.organizationId), 'organizationRemoval', 'x');

    await removeOrganizations(messageFor(forged), lambdaContext(300_000));

    expect(await itemsOf(owner)).toEqual(before);
  });
});

describe('an interrupted removal', () => {
  test('resumes where it stopped after each timeout', async () => {
    const doomed = await organizationWithEverything();
    await fill(doomed.organizationId, 2_500);
    const key = await removeWithoutQueue(doomed);
    const left: number[] = [];

    for (let round = 0; round < 3; round += 1) {
      await removeOrganizations(messageFor(key), lambdaContext(1_000));
      left.push((await itemsOf(doomed)).length);
    }

    expect(left).toEqual(left.toSorted((one, other) => other - one));
    expect(new Set(left).size).toBe(3);
    await removeDeleted(doomed.organizationId);
    expect(await itemsOf(doomed)).toEqual([]);
  });

  test('removes public short links first', async () => {
    const doomed = await newAccount();
    const link = await newLink(doomed);
    await fill(doomed.organizationId, 200);
    const key = await removeWithoutQueue(doomed);
    expect((await followBioLink(link)).status).toBe(302);

    await removeOrganizations(messageFor(key), lambdaContext(1_000));

    expect((await followBioLink(link)).status).toBe(404);
    expect((await itemsOf(doomed)).length).toBeGreaterThan(200);
    await drainWork('organization-removal');
  });

  const deaths: ReadonlyArray<readonly [when: Moment, nth: number]> = [
    ['after', 1],
    ['after', 3],
    ['before', 4],
    ['after', 5],
    ['before', 7],
    ['after', 8],
    ['before', 2],
    ['after', 2],
    ['before', 3],
    ['after', 4],
    ['before', 5],
    ['before', 6],
    ['after', 6],
    ['after', 7],
    ['before', 8],
  ];

  test('is finished by the sweep after a crash at any DynamoDB call', async () => {
    const neighbour = await organizationWithEverything();
    for (const [when, nth] of deaths.slice(0, depth(3, Number.POSITIVE_INFINITY))) {
      const doomed = await newAccount();
      await inviteByMail(doomed, doomed.organizationId, { email: freshEmail(), role: 'VIEWER' });
      await fill(doomed.organizationId, 60);
      const key = await removeWithoutQueue(doomed);
      const others = await othersThan(doomed);
      const run = await runInProcess<SQSBatchResponse>(
        'workers/organization-removal',
        messageFor(key),
        proxy.endpoint,
      );
      proxy.faults.add({ nth, fault: { kind: 'kill', when, victim: run.kill } });
      expect([when, nth, await run.answer]).toEqual([when, nth, undefined]);
      proxy.faults.clear();

      advanceClock(6 * minuteMs);
      await runDueWork();
      await removeDeleted(doomed.organizationId);

      expect(await itemsOf(doomed)).toEqual([]);
      expect(await othersThan(doomed)).toEqual(others);
    }
    expect(await itemsOf(neighbour)).not.toEqual([]);
  });

  test.each([
    ['after its first write', 'after', 1],
    ["before the users' side of the memberships is removed", 'before', 2],
    ["between the users' side and the organization's side", 'before', 3],
    ['before its message is sent', 'after', 3],
  ] as const)(
    'is finished by the sweep when the deletion request crashes %s',
    async (_, when, nth) => {
      const doomed = await organizationWithEverything();
      const deletion = await callInProcess(
        deleteOrganization,
        { params: { organization_id: doomed.organizationId }, token: doomed.token },
        proxy.endpoint,
      );
      const operation = ['TransactWriteItems', 'BatchWriteItem'];
      proxy.faults.add({ operation, nth, fault: { kind: 'kill', when, victim: deletion.kill } });
      expect(await deletion.answer).toBeUndefined();

      advanceClock(minuteMs + 1_000);
      await runDueWork();
      await removeDeleted(doomed.organizationId);

      expect(await itemsOf(doomed)).toEqual([]);
    },
  );
});

describe('a large organization', () => {
  const records = depth(500, 100_000);

  test(`is removed with all ${records} records`, async () => {
    const [doomed, neighbour] = [
      await organizationWithEverything(),
      await organizationWithEverything(),
    ];
    await fill(neighbour.organizationId, 100);
    const others = await othersThan(doomed);
    await fill(doomed.organizationId, records);

    await remove(doomed);
    await removeDeleted(doomed.organizationId);

    expect(await itemsOf(doomed)).toEqual([]);
    expect(await othersThan(doomed)).toEqual(others);
  });
});
