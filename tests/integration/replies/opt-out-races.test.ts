import { describe, expect, test } from 'vitest';
import { handler as inboundWorker } from '#functions/workers/inbound-events.ts';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { Message } from '#lib/features/conversations/conversation.ts';
import { pause } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { type Key, wholePartition } from '#lib/platform/db/keys/key.ts';
import { query } from '#lib/platform/db/read.ts';
import { defaultOptOutMessage } from '#schemas/consent-words.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, replySetup, waitingWork } from './setup.ts';

/** Returns the customer of each waiting event, with the key of its work. */
async function waitingEvents(organizationId: string): Promise<ReadonlyMap<string, Key>> {
  const items = await storedItems(`ORG#${organizationId}#EVENTS#`);

  return new Map(
    items
      .filter(({ sk }) => sk.startsWith('OUTBOX#inboundEvent#'))
      .map(({ pk, sk, payload }) => [JSON.parse(String(payload)).event.from.id, { pk, sk }]),
  );
}

async function confirm({ pk, sk: answered }: Key): Promise<void> {
  const items = await query<object>(wholePartition(pk));
  const confirmations = items.filter(({ sk }) => sk.startsWith('OUTBOX#reply#') && sk !== answered);
  for (const key of confirmations) {
    await doWork(repliesWorker, key);
  }
}

test('an opt-out also applies to a first comment that it overtakes', async () => {
  const ada = await newAccount();
  const world = replySetup(ada);
  const account = await world.account();
  const from = newCustomer();
  await world.say(account, { type: 'message', text: 'Good morning', from });
  await drainWork('inbound-events');
  await world.say(account, { type: 'comment', text: 'What is the price?', from });
  const comment = (await waitingEvents(ada.organizationId)).get(from.id) as Key;
  await overtake({ begin: () => doWork(inboundWorker, comment) }, async () => {
    await world.say(account, { type: 'message', text: 'Stop!', from });
    await drainWork('inbound-events');
  });

  const items = await storedItems(`ORG#${ada.organizationId}#CONVERSATION`);
  const conversations = items.filter(({ customer }) => customer);
  const optedOut = { customer: { optedOutAt: expect.any(String) } };
  expect(conversations).toMatchObject([optedOut, optedOut]);
});

describe('a customer who opts out during an answer', () => {
  const networks = ['FACEBOOK', 'INSTAGRAM', 'TIKTOK'] as const;
  const pairs = Math.ceil(depth(50, 200) / networks.length);
  /** Some workers need about this long from their start to the network call. */
  const spreadMs = 300;
  const atOnce = 6;

  test.each(networks)(
    'gets nothing from the agent on %s after the confirmation',
    async (platform) => {
      const ada = await newAccount();
      const world = replySetup(ada);
      const account = await world.account({ platform });
      await world.agent();
      const customers = Array.from({ length: pairs }, newCustomer);
      await atMostAtOnce(atOnce, customers, (from) =>
        world.say(account, { type: 'message', text: 'Good morning', from }),
      );
      await drainWork('inbound-events');
      await drainWork('reply-planning');
      await atMostAtOnce(atOnce, customers, (from) =>
        world.say(account, { type: 'message', text: 'Stop!', from }),
      );
      const [work, stops, conversations] = await Promise.all([
        waitingWork('reply', ada.organizationId),
        waitingEvents(ada.organizationId),
        world.conversations(account),
      ]);
      const customerOf = new Map(conversations.map(({ id, customer }) => [id, customer.id]));
      await sandbox.addFault({
        service: platform.toLowerCase(),
        method: 'POST',
        mode: 'slow',
        delayMs: 30,
      });

      await atMostAtOnce(atOnce, [...work.entries()], async ([index, key]) => {
        const stop = stops.get(customerOf.get(key.pk.split('#')[3] ?? '') ?? '');
        const optOut = async () => {
          await doWork(inboundWorker, stop as Key);
          await confirm(key);
        };
        const answer = () => doWork(repliesWorker, key);
        if (index === 0) {
          await answer();
          await optOut();
        } else if (index === work.length - 1) {
          await optOut();
          await answer();
        } else {
          const aheadMs = ((index - pairs / 2) * spreadMs) / pairs;
          await Promise.all([
            pause(Math.max(0, aheadMs)).then(optOut),
            pause(Math.max(0, -aheadMs)).then(answer),
          ]);
        }
      });

      const sent = (await world.replies(account)).toSorted((one, other) =>
        String(one.at).localeCompare(String(other.at)),
      );
      const byCustomer = Map.groupBy(sent, ({ to }) => to);
      const orders = customers.map(({ id }) =>
        (byCustomer.get(id) ?? []).map(({ text }) =>
          text === defaultOptOutMessage ? 'confirmation' : 'answer',
        ),
      );
      expect(new Set(orders.map((order) => order.join(', ')))).toEqual(
        new Set(['confirmation', 'answer, confirmation']),
      );
      const [credits, available] = await world.credits();
      expect(available).toBe(credits);
    },
    60_000 + pairs * 3_000,
  );

  test('gets the confirmation after an answer that is being sent', async () => {
    const ada = await newAccount();
    const world = replySetup(ada);
    const account = await world.account();
    await world.agent();
    const from = newCustomer();
    await world.say(account, { type: 'message', text: 'Good morning', from });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const [key = { pk: '', sk: '' }] = await waitingWork('reply', ada.organizationId);
    const slowOnce = { method: 'POST', mode: 'slow', delayMs: 3_000, times: 1 } as const;
    await sandbox.addFault({ service: 'facebook', ...slowOnce });

    const answer = doWork(repliesWorker, key);
    while (!(await query<Message>(wholePartition(key.pk))).some(({ sendingAt }) => sendingAt)) {
      await pause(20);
    }
    await world.say(account, { type: 'message', text: 'Stop!', from });
    await drainWork('inbound-events');
    await confirm(key);
    await answer;

    const sent = (await world.replies(account)).toSorted((one, other) =>
      String(one.at).localeCompare(String(other.at)),
    );
    expect(sent).toHaveLength(2);
    expect(sent[1]?.text).toBe(defaultOptOutMessage);
    // The network answers the first call after three seconds.
    const [answeredAt = 0, confirmedAt = 0] = sent.map(({ at }) => Date.parse(String(at)));
    expect(confirmedAt - answeredAt).toBeGreaterThan(2_500);
  });
});
