import { beforeEach, expect, test } from 'vitest';
import { handler as inboundWorker } from '#functions/workers/inbound-events.ts';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup } from './setup.ts';

waitForNobody();

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
});

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
const workers = { inboundEvent: inboundWorker, reply: repliesWorker };
const done = new Set<string>();

/** A new customer opts out, and the worker crashes. Returns the result. */
async function optOut(kind: keyof typeof workers, death: Death) {
  const from = newCustomer();
  await world.say(account, { type: 'message', text: 'STOP', from });
  if (kind === 'reply') {
    await drainWork('inbound-events');
  }
  const key = (await storedItems(`ORG#${ada.organizationId}`)).find(
    ({ sk }) => sk.startsWith(`OUTBOX#${kind}#`) && !done.has(sk),
  );
  if (!key) {
    throw new Error('No work is planned');
  }
  done.add(key.sk);
  const lived = await untilDeath(death, () => doWork(workers[kind], { pk: key.pk, sk: key.sk }));

  return { ...lived, customerId: from.id };
}

test.each([
  ['inboundEvent', 'a write'],
  ['reply', 'a write'],
  ['reply', 'a call'],
] as const)(
  'an opt-out is confirmed once, wherever the worker of %s crashes at %s',
  async (kind, at) => {
    await optOut(kind, never);
    const { writes, calls } = await optOut(kind, never);
    const deaths = deathsOf(
      at === 'a write' ? writes : calls,
      depth(2, Number.POSITIVE_INFINITY),
      at,
    );
    const customers: string[] = [];
    for (const death of deaths) {
      const { hasDied, customerId } = await optOut(kind, death);
      expect(hasDied).toBe(true);
      customers.push(customerId);
    }
    await settle();

    const sent = await world.replies(account);
    expect(deaths.length).toBeGreaterThan(0);
    for (const customerId of customers) {
      const claim = await get<{ conversationId: string }>(
        keys.conversationClaim(ada.organizationId, account.id, 'DIRECT_MESSAGE', customerId),
      );
      const items = await storedItems(
        `ORG#${ada.organizationId}#CONVERSATION#${claim?.conversationId}`,
      );
      const stored = items.filter(
        ({ sk, direction }) => sk.startsWith('MESSAGE#') && direction === 'OUT',
      );
      const count = sent.filter(({ to }) => to === customerId).length;

      // After a crash between arming and the call, the outcome is unknown, and the call is never
      // repeated.
      const outcomes = ['1 SENT', '1 UNKNOWN', '0 UNKNOWN'];
      expect(outcomes).toContain(`${count} ${stored.map(({ status }) => status).join()}`);
    }
    if (kind === 'inboundEvent') {
      expect(sent).toHaveLength(deaths.length + 2);
    }
  },
);
