import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as profilesWorker } from '#functions/workers/customer-profiles.ts';
import { handler as planningWorker } from '#functions/workers/reply-planning.ts';
import { convertConversation } from '#lib/features/leads/convert-conversation.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { listConversations } from '#schemas/conversations.ts';
import { listPipelines } from '#schemas/leads.ts';
import {
  doWork,
  type ReplySetup,
  replySetup,
  waitingWork,
} from '#tests/integration/replies/setup.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';

waitForNobody();

const workers = { replyPlanning: planningWorker, customerProfile: profilesWorker } as const;
const queues = { replyPlanning: 'reply-planning', customerProfile: 'customer-profiles' } as const;

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
});

/** Receives a private message from a person whose name only a lookup reveals. */
async function meet(name: string | null, text = 'The price?') {
  const from = { id: `person-${randomUUID()}`, name: '' };
  await sandbox.network(account.platform).setPerson(from.id, { name });
  await world.say(account, { type: 'message', text, from });

  return from;
}

/** Returns the pending work that decides about the first messages and looks up their senders. */
async function pending() {
  const kinds = Object.keys(workers) as Array<keyof typeof workers>;
  const keys = await Promise.all(kinds.map((kind) => waitingWork(kind, ada.organizationId)));

  return kinds.flatMap((kind, index) =>
    (keys[index] ?? []).map((key) => () => doWork(workers[kind], key)),
  );
}

async function namesOf() {
  const [conversations, leads] = await Promise.all([world.conversations(account), world.leads()]);

  return {
    conversations: conversations.map(({ customer }) => customer.name),
    contacts: leads.map(({ contact }) => contact.name),
  };
}

/** Starts a round with a new organization, because its lists have pages. */
async function startRound(): Promise<void> {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
  await world.campaign(account);
}

async function expectNames(people: readonly string[]): Promise<void> {
  await finish();
  const { conversations, contacts } = await namesOf();

  expect(conversations.toSorted()).toEqual(people.toSorted());
  expect(contacts.toSorted()).toEqual(people.toSorted());
}

describe('the names of customers who write for the first time', () => {
  const perRound = 10;
  const people = Array.from({ length: perRound }, (_, n) => `Person ${n}`);
  const rounds = Array.from({ length: depth(1, 50) }, (_, round) => round);

  it('are stored on their contacts, even if leads are created during the lookup', async () => {
    for (const _ of rounds) {
      await startRound();
      await Promise.all(people.map((name) => meet(name)));
      await drainWork('inbound-events');
      await Promise.all(Object.values(queues).map(takeAll));
      await Promise.allSettled((await pending()).map((work) => work()));

      await expectNames(people);
    }
  });

  it('are stored on their contacts after a crash after any write', async () => {
    for (const round of rounds) {
      await startRound();
      for (const [n, name] of people.entries()) {
        await meet(name);
        await drainWork('inbound-events');
        await Promise.all(Object.values(queues).map(takeAll));
        const works = await pending();
        for (const work of n % 2 === 0 ? works : works.toReversed()) {
          const nth = 1 + ((round + Math.floor(n / 2)) % 5);
          await untilDeath({ at: 'a write', nth, when: 'after' }, work);
        }
      }

      await expectNames(people);
    }
  });
});

async function takeAll(name: string): Promise<void> {
  while ((await takeWork(name)).Records.length > 0) {
    // Messages are taken until the queue is empty.
  }
}

async function finish(): Promise<void> {
  setClock(() => Date.now() + 10 * minuteMs);
  await runDueWork();
  setClock();
}

describe('a name from another event', () => {
  it('is stored on the conversation and contact whose lookup was rejected', async () => {
    await world.campaign(account);
    const { id } = await meet(null);
    await drainWork();
    const before = await namesOf();
    await world.say(account, { type: 'comment', text: 'Nice', from: { id, name: 'Ada L.' } });
    await drainWork();

    expect(before).toEqual({ conversations: [id], contacts: [id] });
    expect(await namesOf()).toEqual({ conversations: ['Ada L.', 'Ada L.'], contacts: ['Ada L.'] });
  });

  it('is stored on a conversation that begins later', async () => {
    const from = { id: `person-${randomUUID()}`, name: 'Ada L.' };
    await sandbox.network('FACEBOOK').setPerson(from.id, { name: null });
    await world.say(account, { type: 'comment', text: 'Nice', from });
    await drainWork();
    await world.say(account, { type: 'message', text: 'Hello', from: { ...from, name: '' } });
    await drainWork();

    expect((await namesOf()).conversations).toEqual(['Ada L.', 'Ada L.']);
  });

  it('is used even if the event arrives late', async () => {
    const from = { id: `person-${randomUUID()}`, name: '' };
    const at = new Date(Date.now() - hourMs).toISOString();
    await world.say(account, { type: 'comment', text: 'Second', from });
    await world.say(account, {
      type: 'comment',
      text: 'First',
      from: { ...from, name: 'Ada' },
      at,
    });
    await drainWork('inbound-events');

    expect((await namesOf()).conversations).toEqual(['Ada']);
  });
});

it.each([
  ['TWITTER', 'message'],
  ['TWITTER', 'comment'],
  ['INSTAGRAM', 'comment'],
] as const)('the username in the event of a %s %s is shown and found', async (platform, type) => {
  account = await world.account({ platform });
  const from = { id: `person-${randomUUID()}`, name: 'ada_lovelace' };
  await world.say(account, { type, text: 'Hello', from });
  await drainWork('inbound-events');
  const { username } = (await world.conversations(account))[0].customer;
  const { conversations } = (
    await call(listConversations, {
      params: { organization_id: ada.organizationId },
      query: { search: String(username).slice(0, 5) },
      token: ada.token,
    })
  ).body;

  expect(username).toMatch(/^ada_?lovelace$/);
  expect(conversations).toMatchObject([{ customer: { username } }]);
});

it('a conversation that is converted while its customer is looked up gives its contact the name', async () => {
  await meet('Ada L.', 'Hello');
  await drainWork('inbound-events');
  const { organizationId, token } = ada;
  const [{ id }] = await world.conversations(account);
  const params = { organization_id: organizationId };
  const [pipeline] = (await call(listPipelines, { params, token })).body.pipelines;
  const details = { pipelineId: pipeline.id, source: 'website' };
  // Runs after the conversation was read and before the lead is written.
  const { contact } = await convertConversation(organizationId, id, details, async () => {
    await drainWork('customer-profiles');

    return [];
  });

  expect(contact.name).toBe('Ada L.');
  expect((await namesOf()).contacts).toEqual(['Ada L.']);
});
