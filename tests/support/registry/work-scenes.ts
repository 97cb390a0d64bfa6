import { randomUUID } from 'node:crypto';
import { handler as dueWork } from '#functions/jobs/due-work.ts';
import {
  planCreditReservation,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { duePublication } from '#lib/features/content/publishing/ownership.ts';
import { startPublishing } from '#lib/features/content/publishing/start-publishing.ts';
import { startRetention } from '#lib/features/organizations/retention-schedule.ts';
import { planCommentsPoll } from '#lib/features/social/connection/comments-poll.ts';
import { dayMs, hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { idAt, newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { deleteMe, signUp, updateMe } from '#schemas/auth.ts';
import { receivePaymentEvent, updateAutoRefillSettings } from '#schemas/billing.ts';
import { createContentPost } from '#schemas/content.ts';
import { getConversation } from '#schemas/conversations.ts';
import { completeKnowledgeSource } from '#schemas/knowledge.ts';
import {
  createLeadActivity,
  deleteLead,
  getErasure,
  importLeads,
  mergeContacts,
} from '#schemas/leads.ts';
import { createMediaFromUrl } from '#schemas/media.ts';
import { deleteOrganization, updateOrganization } from '#schemas/organizations.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';
import { receiveDataDeletion } from '#schemas/social-webhooks.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { bodyOf, paramsOf } from '#scripts/fixtures/fixtures.ts';
import { newLead } from '#scripts/fixtures/lead-fixtures.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { putFile, receiverUrl } from '#scripts/fixtures/sandbox.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import {
  connectedAccount,
  connectionBody,
  storeSocialAccount,
} from '#scripts/fixtures/social-accounts.ts';
import { workFixtures } from '#scripts/fixtures/work-fixtures.ts';
import type { World } from '#scripts/fixtures/world.ts';
import { replySetup } from '#tests/integration/replies/setup.ts';
import { freshEmail, newAccount, password, signUpBody } from '#tests/support/accounts.ts';
import { passTime } from '#tests/support/aftermath.ts';
import { call } from '#tests/support/api.ts';
import { buy, giveCard, subscribe } from '#tests/support/billing.ts';
import { untilDeath } from '#tests/support/deaths.ts';
import { sandbox } from '#tests/support/mails.ts';
import { deliver } from '#tests/support/network-events.ts';
import { startLater } from '#tests/support/own-table.ts';
import { deliverSigned } from '#tests/support/signed-requests.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { ask } from './ask.ts';
import { newWorld } from './world.ts';

/** Prepares the data and returns the event for the function. */
type Scene = () => Promise<unknown>;

/** Crashes before the nth write. */
function crashingBefore(nth: number, act: () => Promise<unknown>) {
  return untilDeath({ at: 'a write', nth, when: 'before' }, act);
}

/** Creates a scheduled post, for the given account or a new one. */
async function scheduled(world: World, of: { readonly socialAccountId?: string } = {}) {
  const scheduledAt = timestamp(hourMs);
  const body = { ...(await bodyOf(createContentPost, world)), scheduledAt, ...of };
  const { id } = (await ask(world, createContentPost, { body })).body.contentPost;

  return { id, targetAccountId: String(Object(body).socialAccountId) };
}

/**
 * Creates two due posts of one account. Sets the due time directly, because networks ignore the
 * test's clock.
 */
async function twoDuePosts() {
  const world = await newWorld();
  const first = await scheduled(world);
  const second = await scheduled(world, { socialAccountId: first.targetAccountId });
  for (const post of [first, second]) {
    const key = keys.contentPost(world.organizationId, post.id);
    await write(change(key, { set: duePublication(timestamp(), post) }));
  }
}

/** Creates an account with a payment and a subscription attempt whose outcomes are unknown. */
async function unsettled() {
  const account = await newAccount();
  await crashingBefore(2, () => buy(account, 25));
  await crashingBefore(2, () => subscribe(account));

  return account;
}

/**
 * Sends a customer's message that a campaign with a webhook answers. The network does not reveal
 * the customer's name, because a lookup that finishes before the answer would change its prompt.
 */
async function saidToCampaign(text = 'What is the price?'): Promise<string> {
  const owner = await newAccount();
  const world = replySetup(owner);
  const account = await world.account();
  await world.campaign(account, { webhookUrl: receiverUrl('work') });
  const from = { id: `customer-${randomUUID()}`, name: 'Charles Babbage' };
  await sandbox.network('FACEBOOK').setPerson(from.id, { name: null });
  await world.say(account, { type: 'message', text, from });

  return owner.organizationId;
}

/** Prepares an answer that is about to be sent. */
async function answering(text?: string, meanwhile: Meanwhile = async () => undefined) {
  const organizationId = await saidToCampaign(text);
  await drainWork('inbound-events');
  await drainWork('reply-planning');
  await meanwhile(organizationId);

  return takeWork('replies');
}

type Meanwhile = (organizationId: string) => Promise<unknown>;

function refusing(service: string, path: string) {
  const body = { error: { message: 'Unsupported', type: 'OAuthException', code: 100 } };

  return () =>
    sandbox.addFault({ service, path, method: 'POST', mode: 'error', status: 400, body });
}

const ofWorkers: Readonly<Record<string, Scene>> = {
  'inbound-events': async () => {
    await saidToCampaign();

    return takeWork('inbound-events');
  },
  'lead-ads': async () => {
    const { platformUserId: userId } = await connectedAccount((await newWorld()).organizationId);
    const fields = { email: freshEmail(), full_name: 'Ada Lovelace', color: 'red' };
    const request = { userId, fields, deliveries: 0 };
    const { delivery } = await sandbox.network('FACEBOOK').submitLeadAd(request);
    await deliver('FACEBOOK', delivery);

    return takeWork('lead-ads');
  },
  'reply-planning': async () => {
    await saidToCampaign();
    await drainWork('inbound-events');

    return takeWork('reply-planning');
  },
  replies: () => answering(),
  'replies, opt-out': () => answering('STOP'),
  'replies, handover': () => answering('The price, from a human please'),
  'replies, without credits': () =>
    answering('What is the price?', (organizationId) =>
      write(change(keys.balance(organizationId), { set: { available: 0, credits: 0 } })),
    ),
  'replies, rejected': () => answering('What is the price?', refusing('facebook', '/messages$')),
  'organization-removal': async () => {
    const world = await newWorld();
    await scheduled(world);
    await paramsOf(createLeadActivity, world);
    await paramsOf(getConversation, world);
    await drainWork();
    await ask(world, deleteOrganization);

    return takeWork('organization-removal');
  },
  'organization-removal, data deletion': async () => {
    const account = await connectedAccount((await newWorld()).organizationId);
    const from = { id: 'a-person', name: 'Charles Babbage' };
    await deliver('FACEBOOK', await signedEvent(account, { type: 'message', text: 'Hello', from }));
    await drainWork();
    await deliverSigned(receiveDataDeletion, 'FACEBOOK', from.id);
    // Starts the erasure and completes it. The next check sees that.
    await drainWork();
    passTime(2 * minuteMs);
    await dueWork();

    return takeWork('organization-removal');
  },
  'organization-removal, account': async () => {
    const world = await newWorld();
    const { token, userId } = await newAccount();
    await seat(world.organizationId, userId, 'OWNER');
    await seat((await newWorld()).organizationId, userId, 'ADMIN');
    await call(updateMe, { token, body: { email: freshEmail() } });
    await drainWork();
    // Crashes before the first removal that follows the transaction.
    await crashingBefore(2, () => call(deleteMe, { token, body: { password } }));
    passTime(2 * minuteMs);
    await dueWork();

    return takeWork('organization-removal');
  },
  'organization-removal, person': async () => {
    const world = await newWorld();
    await paramsOf(getErasure, world);

    return takeWork('organization-removal');
  },
  'organization-removal, old messages': async () => {
    const world = await newWorld();
    await ask(world, updateOrganization, { body: { settings: { retentionDays: 30 } } });
    const conversation = await storeConversation(world.organizationId);
    const createdAt = timestamp(-31 * dayMs);
    await storeMessage(conversation, { id: idAt(Date.parse(createdAt)), createdAt });
    await startLater(() => startRetention(() => 240_000));

    return takeWork('organization-removal');
  },
  'signup-cleanup': async () => {
    await crashingBefore(2, () => call(signUp, { body: signUpBody() }));
    passTime(11 * minuteMs);
    await dueWork();

    return takeWork('signup-cleanup');
  },
  'payment-events': async () => {
    await subscribe(await newAccount());
    await unsettled();
    for (const { payload, signature } of await sandbox.paymentEvents()) {
      await call(receivePaymentEvent, {
        body: payload,
        headers: { 'stripe-signature': signature },
      });
    }

    return takeWork('payment-events');
  },
  'lead-removal': async () => {
    const world = await newWorld();
    const params = await paramsOf(createLeadActivity, world);
    await ask(world, createLeadActivity, { params, body: { type: 'NOTE', description: 'Called' } });
    await ask(world, deleteLead, { params });

    return takeWork('lead-removal');
  },
  'lead-import': async () => {
    const rows = Array.from({ length: 3 }, () => `Charles Babbage,${freshEmail()}`);
    const refused = Array.from({ length: 100 }, () => 'Charles Babbage,nowhere');
    const csv = ['name,email', ...rows, ...refused].join('\r\n');
    await ask(await newWorld(), importLeads, { body: { csv } });

    return takeWork('lead-import');
  },
  'account-disconnection': async () => {
    const world = await newWorld();
    const { targetAccountId } = await scheduled(world);
    await ask(world, disconnectSocialAccount, { params: { account_id: targetAccountId } });

    return takeWork('account-disconnection');
  },
  'content-publishing, rejected': async () => {
    await twoDuePosts();
    await startPublishing();
    await refusing('facebook', '/feed$')();

    return takeWork('content-publishing');
  },
  'outbound-webhooks, failing': async () => {
    const event = await all['outbound-webhooks']?.();
    await sandbox.addFault({ service: 'hooks', mode: 'error', status: 500 });

    return event;
  },
  'account-subscription, rejected': async () => {
    const event = await all['account-subscription']?.();
    await refusing('facebook', 'subscribed_apps$')();

    return event;
  },
  'refill-charge, declined': async () => {
    const { token, organizationId } = await newAccount();
    await giveCard(organizationId, 'pm_card_chargeCustomerFail');
    const body = { enabled: true, threshold: 900, amount: 10 };
    await call(updateAutoRefillSettings, { token, body });
    await refillWhenLow(organizationId);

    return takeWork('refill-charge');
  },
  'lead-removal, merged': async () => {
    const world = await newWorld();
    const [kept, duplicate] = [await newLead(world), await newLead(world)];
    const params = { contact_id: kept.contactId };
    await ask(world, mergeContacts, { params, body: { duplicateId: duplicate.contactId } });

    return takeWork('lead-removal');
  },
  'content-publishing': async () => {
    await twoDuePosts();
    await startPublishing();

    return takeWork('content-publishing');
  },
  'media-processing, rejected': async () => {
    const url = await putFile('work', Buffer.from('text'), 'text/plain');
    await ask(await newWorld(), createMediaFromUrl, { body: { url } });

    return takeWork('media-processing');
  },
  'knowledge-reading': async () => {
    const world = await newWorld();
    const params = await paramsOf(completeKnowledgeSource, world);
    await ask(world, completeKnowledgeSource, { params });

    return takeWork('knowledge-reading');
  },
  attachments: async () => {
    const owner = await newAccount();
    const world = replySetup(owner);
    const account = await world.account();
    await world.say(account, { type: 'message', text: '', attachments: [{ kind: 'image' }] });
    await drainWork('inbound-events');

    return takeWork('attachments');
  },
  'message-outcome': async () => {
    const { organizationId } = await newAccount();
    const conversation = await storeConversation(organizationId);
    const message = { direction: 'OUT', author: 'HUMAN', status: 'PENDING' } as const;
    const { id: messageId } = await storeMessage(conversation, message);
    const payload = { organizationId, conversationId: conversation.id, messageId };
    const owner = keys.conversation(organizationId, conversation.id);
    const work = planWork('messageOutcome', { owner, payload });
    await write(work);

    return takeWork('message-outcome');
  },
};

/** Work for each job. */
const ofJobs: Readonly<Record<string, Scene>> = {
  // Loses the first message of two work items.
  'due-work': async () => {
    await ofWorkers['lead-removal']?.();
    await ofWorkers['message-outcome']?.();
    passTime(2 * minuteMs);
  },
  'credit-refill': async () => {
    const { token, organizationId } = await newAccount();
    const body = { enabled: true, threshold: 100, amount: 10 };
    await call(updateAutoRefillSettings, { token, body });
    const replyId = newId();
    await write(...planCreditReservation(organizationId, replyId));
    await write(...planCreditUse(organizationId, replyId));
    passTime(6 * minuteMs);
  },
  'payment-reconcile': async () => {
    await unsettled();
    passTime(6 * minuteMs);
  },
  'token-refresh': async () => {
    const { organizationId } = await newAccount();
    for (const platform of ['TWITTER', 'INSTAGRAM'] as const) {
      const connection = await connectionBody({ platform, expiresIn: 7_200 });
      await storeSocialAccount(organizationId, {
        ...connection,
        tokenExpiresAt: timestamp(2 * hourMs),
        ...dueIn('TOKEN_REFRESH', timestamp()),
      });
    }
  },
  'metrics-snapshot': async () => {
    const world = await newWorld();
    const { id } = await connectAccount(world.people.OWNER.token);
    const body = { ...(await bodyOf(createContentPost, world)), socialAccountId: id };
    await ask(world, createContentPost, { body });
    await drainWork();
    passTime(hourMs);
  },
  'posts-import': async () => {
    const { token } = await newAccount();
    const { platformUserId: userId } = await connectAccount(token);
    for (const text of ['First', 'Second']) {
      await sandbox.network('FACEBOOK').makePost({ userId, text });
    }
    await drainWork();
  },
  'content-publish': twoDuePosts,
  'comments-poll': async () => {
    const { organizationId } = await newAccount();
    const account = await connectedAccount(organizationId, { platform: 'YOUTUBE' });
    await write(...planCommentsPoll(account));
    const event = { userId: account.platformUserId, type: 'comment' } as const;
    // Two people, because comments of the same second have no defined order.
    for (const [letter, name] of [
      ['x', 'Charles Babbage'],
      ['y', 'Mary Somerville'],
    ] as const) {
      const from = { id: `UC${account.platformUserId}${letter}`, name };
      await sandbox.network('YOUTUBE').sendEvent({ ...event, from, text: `${name} was here` });
    }
  },
  'health-watch': async () => {
    await sandbox.addFault({ service: 'stripe', mode: 'down' });
  },
  retention: async () => {
    const world = await newWorld();
    await ask(world, updateOrganization, { body: { settings: { retentionDays: 30 } } });
  },
  'conversation-closing': async () => {
    const { organizationId } = await newAccount();
    await storeConversation(organizationId);
    await storeConversation(organizationId);
    passTime(31 * dayMs);
  },
  'unanswered-digest': async () => {
    const { organizationId } = await newAccount();
    await storeConversation(organizationId, {
      unansweredReason: 'NO_MATCH',
      unansweredSince: timestamp(),
    });
  },
};

/** Adds the work that benchmarks use, too. */
const all: typeof ofWorkers = {
  ...Object.fromEntries(
    Object.entries(workFixtures).map(([name, fixture]) => [
      name,
      async () => {
        await fixture(await newWorld());

        return takeWork(name);
      },
    ]),
  ),
  ...ofWorkers,
  ...ofJobs,
};

/** Returns the scenes with work for a worker or job, by title. */
export function scenesOf(name: string): ReadonlyArray<readonly [string, Scene]> {
  const found = Object.entries(all).filter(
    ([title]) => title === name || title.startsWith(`${name}, `),
  );
  if (found.length === 0) {
    throw new Error(
      `There is no scene of ${name}: add a fixture in scripts/fixtures/work-fixtures.ts, or a scene here`,
    );
  }

  return found;
}
