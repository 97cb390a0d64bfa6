import { beforeEach, expect, it } from 'vitest';
import { handler as clickWorker } from '#functions/workers/bio-clicks.ts';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Key } from '#lib/platform/db/keys.ts';
import { getCampaign } from '#schemas/campaigns.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { call } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { followBioLink } from '../bio/setup.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

waitForNobody();

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;
let campaignId: string;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
  const promptTemplateId = await world.template();
  const privateReply = {
    text: 'Our prices',
    buttons: [
      { label: 'Prices', url: 'https://example.com/prices' },
      { label: 'Ask', reply: 'How much?' },
    ],
  };
  const agentConfigs = [{ channel: 'COMMENT', promptTemplateId, privateReply }];
  campaignId = (await world.campaign(account, { agentConfigs })).id;
});

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
const known = new Set<string>();

/** A customer comments. Returns the key of the planned private answer. */
async function plannedAnswer(from = newCustomer()): Promise<Key> {
  await world.say(account, { type: 'comment', text: 'What is the price?', from });
  await drainWork('inbound-events');
  await drainWork('reply-planning');
  const found = (await storedItems(`ORG#${ada.organizationId}`)).find(
    ({ sk, payload }) =>
      sk.startsWith('OUTBOX#reply#') &&
      !known.has(sk) &&
      String(payload).includes('"privateReply"'),
  );
  if (!found) {
    throw new Error('No private answer is planned');
  }
  known.add(found.sk);

  return { pk: found.pk, sk: found.sk };
}

async function crash(death: Death) {
  const from = newCustomer();
  const key = await plannedAnswer(from);
  const lived = await untilDeath(death, () => doWork(repliesWorker, key));

  return { ...lived, customerId: from.id };
}

async function sentTo(customerId: string) {
  const replies = await world.replies(account);

  return replies.filter(({ kind, to }) => kind === 'message' && to === customerId);
}

/** Returns the stored private answers and links of a customer. */
async function storedFor(customerId: string) {
  const items = await storedItems(`ORG#${ada.organizationId}#CONVERSATION#`);
  const own = items.find(
    ({ sk, channel, customer }) =>
      sk === 'CONVERSATION' &&
      channel === 'DIRECT_MESSAGE' &&
      (customer as { readonly id: string }).id === customerId,
  );
  const ofIt = items.filter(({ pk }) => pk === own?.pk);

  return {
    statuses: ofIt.filter(({ sk }) => sk.startsWith('MESSAGE#')).map(({ status }) => status),
    codes: ofIt.filter(({ sk }) => sk.startsWith('LINK#')).map(({ shortCode }) => shortCode),
  };
}

it.each(['a write', 'a call'] as const)(
  'a process that crashes at %s sends one message with one link, for one credit',
  async (at) => {
    await crash(never);
    const { writes, calls } = await crash(never);
    const deaths = deathsOf(
      at === 'a write' ? writes : calls,
      depth(2, Number.POSITIVE_INFINITY),
      at,
    );
    const customers: string[] = [];
    for (const death of deaths) {
      const { hasDied, customerId } = await crash(death);
      expect(hasDied).toBe(true);
      customers.push(customerId);
    }
    await settle();

    let charged = 2;
    for (const customerId of customers) {
      const sent = await sentTo(customerId);
      const { statuses, codes } = await storedFor(customerId);
      // After a crash between arming and the call, the outcome is unknown, and the call is never
      // repeated.
      expect(['1 SENT', '1 UNKNOWN', '0 UNKNOWN']).toContain(`${sent.length} ${statuses.join()}`);
      charged += statuses.filter((status) => status === 'SENT').length;
      expect(codes).toHaveLength(1);
      expect(await storedItems(`SHORT#${codes[0]}`)).toHaveLength(1);
    }
    // Each public AI answer costs a credit, too.
    const answers = (await world.replies(account)).filter(({ kind }) => kind === 'comment');
    expect(await world.credits()).toEqual(
      Array.from({ length: 2 }, () => 100 - charged - answers.length),
    );
  },
);

it('a click is counted once, wherever the worker crashes', async () => {
  async function clickAndCrash(death: Death) {
    const from = newCustomer();
    await doWork(repliesWorker, await plannedAnswer(from));
    const [answer] = await sentTo(from.id);
    await followBioLink({ shortUrl: answer?.buttons[0]?.url ?? '' });
    const [key] = (await storedItems(`ORG#${ada.organizationId}`)).filter(({ sk }) =>
      sk.startsWith('OUTBOX#bioClick#'),
    );
    if (!key) {
      throw new Error('No click is to be counted');
    }
    const lived = await untilDeath(death, () => doWork(clickWorker, { pk: key.pk, sk: key.sk }));
    await settle();

    return lived;
  }
  const { writes } = await clickAndCrash(never);
  const deaths = deathsOf(writes, depth(2, Number.POSITIVE_INFINITY));
  for (const death of deaths) {
    expect((await clickAndCrash(death)).hasDied).toBe(true);
  }

  const params = { organization_id: ada.organizationId, campaign_id: campaignId };
  const { body } = await call(getCampaign, { params, token: ada.token });
  expect(body.campaign.clicks).toBe(deaths.length + 1);
  const items = await storedItems(`ORG#${ada.organizationId}#LEAD#`);
  expect(items.filter(({ type }) => type === 'LINK_CLICKED')).toHaveLength(deaths.length + 1);
  expect(await waitingWork('reply', ada.organizationId)).toEqual([]);
});
