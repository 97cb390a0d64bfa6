import type { SQSBatchResponse } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { handler as removeOrganizations } from '#functions/workers/organization-removal.ts';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  createLeadActivity,
  createLeadWithContact,
  listPipelines,
  updateContact,
} from '#schemas/leads.ts';
import { declineInvitation, deleteOrganization, inviteMember } from '#schemas/organizations.ts';
import type { Moment } from '#scripts/dynamodb-proxy/faults.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { newLink, open } from '#tests/integration/bio/world.ts';
import { type Account, freshEmail, newAccount, newMember } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { storeConversation, storeMessage } from '#tests/support/conversations.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess, runInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { inviteByMail } from '#tests/support/organizations.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { type Item, lastingItems, storedItems, storeItems } from '#tests/support/table.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';

// Many runs, each with calls of its own: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

const queues = process.env.QUEUE_URL_PREFIX;

let proxy: DynamoDbProxy;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
});
afterEach(() => {
  setClock();
  process.env.QUEUE_URL_PREFIX = queues;
  proxy.faults.clear();
});
afterAll(() => proxy.close());

/** An organization with something of everything that one can have. */
async function furnished(): Promise<Account> {
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

/** Its record names the customer, whose claim the billing account names too. */
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

/** A lead with a contact of two addresses and an activity: each has a partition of its own. */
async function addLead({ organizationId, token }: Account): Promise<void> {
  const params = { organization_id: organizationId };
  const { pipelines } = (await call(listPipelines, { params, token })).body;
  const contact = { name: 'Charles Babbage', email: `${newId()}@facebook.invalid` };
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

/** Puts as many records into an organization as another area of the service might. */
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

/** Deletes while no message reaches the queue; the key of the work that is left. */
async function removeUnheard(owner: Account): Promise<Key> {
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
 * In the partition, or a claim that leads there: sessions only remember which one was current, and
 * the ledger of credits is kept for the accountants.
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
    items.filter((item) => owners.every(({ organizationId }) => !belongsTo(organizationId)(item))),
  );
}

function pass(ms: number): void {
  setClock(() => Date.now() + ms);
}

describe('the removal', () => {
  test('leaves nothing of the organization, and everything of the others as it was', async () => {
    const [neighbour, doomed] = [await furnished(), await furnished()];
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

  test('looks again when an hour has passed, for what came late', async () => {
    const doomed = await furnished();
    const key = await removeUnheard(doomed);
    await removeOrganizations(messageFor(key), lambdaContext(300_000));
    const { organizationId } = doomed;
    const kinds = async () => (await itemsOf(doomed)).map(({ sk }) => sk.split('#')[0]).toSorted();
    expect(await kinds()).toEqual(['ORG', 'OUTBOX']);
    const late = await storeConversation(organizationId);
    await storeMessage(late, { networkMessageId: `m_${late.id}` });
    const withLate = await kinds();

    pass(hourMs - minuteMs);
    await sweep();
    await drainWork('organization-removal');
    expect(await kinds()).toEqual(withLate);

    pass(hourMs + minuteMs);
    await sweep();
    await drainWork('organization-removal');
    expect(await kinds()).toEqual([]);
  });

  test('takes along what has expired and is still there', async () => {
    const doomed = await furnished();
    const key = await removeUnheard(doomed);
    pass(98 * dayMs);

    expect(await removeOrganizations(messageFor(key), lambdaContext(300_000))).toEqual({
      batchItemFailures: [],
    });

    expect(await itemsOf(doomed)).toEqual([]);
  });

  test('whose message was lost is found by the sweep', async () => {
    const doomed = await furnished();
    await removeUnheard(doomed);
    await drainWork();
    expect(await itemsOf(doomed)).not.toEqual([]);

    pass(minuteMs + 1_000);
    expect(await sweep()).toEqual({ sent: 1 });
    await removeDeleted(doomed.organizationId);

    expect(await itemsOf(doomed)).toEqual([]);
  });

  test('that ran again, or twice at once, has done no more than once', async () => {
    const [doomed, neighbour] = [await furnished(), await furnished()];
    await fill(doomed.organizationId, 300);
    const key = await removeUnheard(doomed);
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

  test('of an organization that is not deleted is not to be had by a message', async () => {
    const owner = await furnished();
    const before = await itemsOf(owner);
    const forged = keys.outbox(keys.organization(owner.organizationId), 'organizationRemoval', 'x');

    await removeOrganizations(messageFor(forged), lambdaContext(300_000));

    expect(await itemsOf(owner)).toEqual(before);
  });
});

describe('a removal that is stopped', () => {
  test('by the end of its time goes on where it was, again and again', async () => {
    const doomed = await furnished();
    await fill(doomed.organizationId, 2_500);
    const key = await removeUnheard(doomed);
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

  test('has first taken what anybody reaches: where a short link leads', async () => {
    const doomed = await newAccount();
    const link = await newLink(doomed);
    await fill(doomed.organizationId, 200);
    const key = await removeUnheard(doomed);
    expect((await open(link)).status).toBe(302);

    await removeOrganizations(messageFor(key), lambdaContext(1_000));

    expect((await open(link)).status).toBe(404);
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

  test('by the death of its process at any of its calls is finished by the sweep', async () => {
    const neighbour = await furnished();
    for (const [when, nth] of deaths.slice(0, depth(6))) {
      const doomed = await newAccount();
      await inviteByMail(doomed, doomed.organizationId, { email: freshEmail(), role: 'VIEWER' });
      await fill(doomed.organizationId, 60);
      const key = await removeUnheard(doomed);
      const others = await othersThan(doomed);
      const run = await runInProcess<SQSBatchResponse>(
        'workers/organization-removal',
        messageFor(key),
        proxy.endpoint,
      );
      proxy.faults.add({ nth, fault: { kind: 'kill', when, victim: run.kill } });
      expect([when, nth, await run.answer]).toEqual([when, nth, undefined]);
      proxy.faults.clear();

      pass(6 * minuteMs);
      await runDueWork();
      await removeDeleted(doomed.organizationId);

      expect(await itemsOf(doomed)).toEqual([]);
      expect(await othersThan(doomed)).toEqual(others);
    }
    expect(await itemsOf(neighbour)).not.toEqual([]);
  });

  test.each([
    ['after its first write', 'after', 1],
    ["before the users' side of the memberships goes", 'before', 2],
    ["between the users' side and the organization's", 'before', 3],
    ['before its message is sent', 'after', 3],
  ] as const)(
    'while the call itself was on its way, %s, is finished by the sweep',
    async (_, when, nth) => {
      const doomed = await furnished();
      const deletion = await callInProcess(
        deleteOrganization,
        { params: { organization_id: doomed.organizationId }, token: doomed.token },
        proxy.endpoint,
      );
      const operation = ['TransactWriteItems', 'BatchWriteItem'];
      proxy.faults.add({ operation, nth, fault: { kind: 'kill', when, victim: deletion.kill } });
      expect(await deletion.answer).toBeUndefined();

      pass(minuteMs + 1_000);
      await runDueWork();
      await removeDeleted(doomed.organizationId);

      expect(await itemsOf(doomed)).toEqual([]);
    },
  );
});

describe('a large organization', () => {
  const records = Math.min(depth(2_000), 100_000);

  test(`of ${records} records is removed to the last`, async () => {
    const [doomed, neighbour] = [await furnished(), await furnished()];
    await fill(neighbour.organizationId, 100);
    const others = await othersThan(doomed);
    await fill(doomed.organizationId, records);

    await remove(doomed);
    await removeDeleted(doomed.organizationId);

    expect(await itemsOf(doomed)).toEqual([]);
    expect(await othersThan(doomed)).toEqual(others);
  }, 600_000);
});
