import { clickShards } from '#lib/features/bio/click-counters.ts';
import { snapshotPosts } from '#lib/features/content/analytics/snapshot-posts.ts';
import { changeMessage } from '#lib/features/conversations/messages/change-message.ts';
import { planRecentText } from '#lib/features/conversations/messages/recent-texts.ts';
import {
  announceMaintenance,
  openIncident,
  updateIncident,
} from '#lib/features/health/services/incidents.ts';
import { takeCommentCall } from '#lib/features/intake/comment-budget.ts';
import { planSlot } from '#lib/features/leads/import/import-slots.ts';
import { epochSeconds, hourMs, minuteMs, now, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { endLiveState } from '#lib/platform/live/keep-live.ts';
import { createLiveTicket } from '#lib/platform/live/live-tickets.ts';
import { openLiveConnection } from '#lib/platform/live/open-connection.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { recordRequest } from '#lib/platform/metrics/buffer.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { updateMe } from '#schemas/auth.ts';
import { purchaseCredits } from '#schemas/billing.ts';
import { followBioLink } from '#schemas/bio.ts';
import { createContentPost, deleteContentPost } from '#schemas/content.ts';
import { inviteMember } from '#schemas/organizations.ts';
import { syncSocialAccount } from '#schemas/social.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { newSession, type World } from '#scripts/fixtures/world.ts';
import { freshEmail, newVerifiedAccount } from '#tests/support/accounts.ts';
import { type CallInput, call } from '#tests/support/api.ts';
import { defaultCardOf } from '#tests/support/billing.ts';
import type { Item } from '#tests/support/table.ts';
import { ask } from './ask.ts';

type ExpiringKind = {
  /** The module that sets the expiry of these items. */
  readonly source: string;
  /** Matches partition and sort key, separated by a space. */
  readonly key: RegExp;
  /** The key contains a time or day, and nothing writes to the item after it expires. */
  readonly isOfTime?: true;
  /**
   * The documented lifetimes in minutes, in ascending order. Absent if the end depends on the time of
   * day, or if only these tests set an expiry.
   */
  readonly lasts?: readonly number[];
};

const hour = 60;
const day = 24 * hour;

/** All kinds of items that the table removes when they expire. */
export const expiringKinds: Readonly<Record<string, ExpiringKind>> = {
  session: { source: 'features/auth/sessions', key: /^USER#\S+ SESSION#/, lasts: [7 * day] },
  'reserved address': { source: 'features/users/users', key: /^EMAIL#/, lasts: [7 * day] },
  'token of a mail': {
    source: 'features/auth/user-tokens',
    key: /^USER_TOKEN#/,
    lasts: [5, hour, day, 7 * day],
  },
  invitation: {
    source: 'features/organizations/invite',
    key: /^ORG#\S+ INVITATION#/,
    lasts: [(7 + 90) * day],
  },
  'pending invitation': {
    source: 'features/organizations/invite',
    key: /^ORG#\S+ UNIQUE#INVITATION#/,
    lasts: [(7 + 90) * day],
  },
  'token of an invitation': {
    source: 'features/organizations/invite',
    key: /^INVITATION_TOKEN#/,
    lasts: [(7 + 90) * day],
  },
  'OAuth session': {
    source: 'features/social/oauth/oauth-session',
    key: /^ORG#\S+ OAUTH_SESSION#/,
    lasts: [15],
  },
  'state of an OAuth session': {
    source: 'features/social/oauth/start-session',
    key: /^OAUTH_STATE#/,
    lasts: [15],
  },
  'account that an OAuth session connected': {
    source: 'features/social/oauth/connect-choices',
    key: /^ORG#\S+ OAUTH_CONNECTION#/,
    lasts: [15],
  },
  'sign-in link': {
    source: 'features/operators/sign-in-links',
    key: /^SIGN_IN_LINK#/,
    lasts: [5],
  },
  'deleted connect link': {
    source: 'features/social/oauth/end-connect-links',
    key: /^ORG#\S+ DELETED_CONNECT_LINK#/,
    lasts: [(3 + 90) * day],
  },
  'token of a connect link': {
    source: 'features/social/oauth/end-connect-links',
    key: /^CONNECT_LINK_TOKEN#/,
    lasts: [(3 + 90) * day],
  },
  payment: {
    source: 'features/billing/payments/payment-record',
    key: /#PAYMENT#\S+ PAYMENT$/,
    lasts: [30 * day],
  },
  'event of Stripe': {
    source: 'features/billing/events/receive-payment-event',
    key: /^PAYMENT_EVENT#/,
    lasts: [30 * day],
  },
  'text of a message': {
    source: 'features/conversations/messages/recent-texts',
    key: /#INBOUND_TEXTS#/,
    lasts: [90 * day],
  },
  import: {
    source: 'features/leads/import/start-import',
    key: /#IMPORT#\S+ IMPORT$/,
    lasts: [30 * day],
  },
  'chunk of an import': {
    source: 'features/leads/import/start-import',
    key: /#IMPORT#\S+ CHUNK#/,
    lasts: [30 * day],
  },
  'slot of an import': {
    source: 'features/leads/import/import-slots',
    key: /IMPORT_SLOT#/,
    lasts: [2 * day],
  },
  'row of an import': {
    source: 'features/leads/import/process-row',
    key: /#IMPORT#\S+ ROW#/,
    lasts: [30 * day],
  },
  'metrics of an account': {
    source: 'features/social/metrics/account-metrics',
    key: /^ORG#\S+ ACCOUNT_STATS#/,
    isOfTime: true,
  },
  'deleted post': {
    source: 'features/content/delete-post',
    key: /#POST#\S+ POST$/,
    lasts: [30 * day],
  },
  'network id of a deleted post': {
    source: 'features/content/posts/published-claim',
    key: /#PUBLISHED /,
    lasts: [120 * day],
  },
  'date of a deleted post': {
    source: 'features/content/delete-post',
    key: /#POST_DATES /,
    lasts: [30 * day],
  },
  'minute of a scheduled post': {
    source: 'features/content/posts/post-minutes',
    key: /#POST_MINUTES /,
    isOfTime: true,
  },
  'metrics of a post': {
    source: 'features/content/analytics/snapshot-posts',
    key: /#POST_METRICS /,
    isOfTime: true,
  },
  'trace of a message': {
    source: 'features/replies/trace',
    key: /#CONVERSATION#\S+ TRACE#/,
    lasts: [30 * day],
  },
  'change of a message before it arrives': {
    source: 'features/conversations/messages/change-message',
    key: /#NETWORK_MESSAGE#/,
    lasts: [30 * day],
  },
  'inbound event': {
    source: 'features/intake/receive-events',
    key: /#EVENTS#\d EVENT#/,
    lasts: [30 * day],
  },
  'data deletion request': {
    source: 'features/erasure/data-deletion/request-data-deletion',
    key: /^DATA_DELETION(_OF)?#\S+ (REQUEST|OPEN)$/,
    lasts: [365 * day],
  },
  'calls for comments': {
    source: 'features/intake/comment-budget',
    key: /^COMMENT_CALLS#/,
    isOfTime: true,
  },
  'work that was given up': { source: 'platform/work/sweep-due-work', key: / OUTBOX#/ },
  delivery: { source: 'platform/webhooks/deliveries', key: /#WEBHOOK_DELIVERIES \S+#DELIVERY#/ },
  'deliveries of a day': {
    source: 'platform/webhooks/deliveries',
    key: /#WEBHOOK_DELIVERIES \S+#COUNT#/,
    isOfTime: true,
  },
  'live ticket': {
    source: 'platform/live/live-tickets',
    key: /#LIVE CONNECTING#/,
    lasts: [1],
  },
  'live connection': {
    source: 'platform/live/open-connection',
    key: /#LIVE CONNECTION#/,
    lasts: [2 * hour],
  },
  'organization of a connection': {
    source: 'platform/live/open-connection',
    key: /^LIVE#/,
    lasts: [2 * hour],
  },
  'clicks of a day': { source: 'features/bio/click-counters', key: /#BIO_DAYS /, isOfTime: true },
  'clicks of a day from a host': {
    source: 'features/bio/click-counters',
    key: /#BIO_REFERRERS /,
    isOfTime: true,
  },
  visit: { source: 'features/bio/follow-link', key: /^VISIT#/, lasts: [30] },
  'salt of a day': { source: 'features/bio/visitors', key: /^SALT#/, isOfTime: true },
  'idempotency record': {
    source: 'platform/http/middleware/idempotency',
    key: /^IDEMPOTENCY#/,
    lasts: [day],
  },
  'metrics of a time': {
    source: 'platform/metric-store/flush-metrics',
    key: /^METRICS#\d/,
    isOfTime: true,
  },
  'calls of an hour': {
    source: 'platform/metric-store/flush-metrics',
    key: /^ORG#\S+ API_CALLS#/,
    isOfTime: true,
  },
  'closed incident': {
    source: 'features/health/services/incidents',
    key: /^INCIDENTS INCIDENT#/,
    lasts: [90 * day],
  },
  maintenance: {
    source: 'features/health/services/incidents',
    key: /^INCIDENTS MAINTENANCE#/,
    lasts: [90 * day + 1],
  },
};

/** Returns the kind of an expiring item, or undefined if it is not listed. */
export function expiringKindOf({ pk, sk }: Pick<Item, 'pk' | 'sk'>): string | undefined {
  const [kind] = Object.entries(expiringKinds).find(([, { key }]) => key.test(`${pk} ${sk}`)) ?? [];

  return kind;
}

/**
 * Returns true if the item's key contains a time, so that nothing writes to it after it expires.
 */
export function isOfTime(item: Pick<Item, 'pk' | 'sk'>): boolean {
  return expiringKinds[expiringKindOf(item) ?? '']?.isOfTime ?? false;
}

const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/**
 * Creates one record of everything that lists and statistics of the organization or service
 * include.
 */
export async function leavePast(world: World): Promise<void> {
  const { organizationId, people } = world;
  await deletePublishedPost(world);
  await Promise.all([
    newSession(people.OWNER.userId, organizationId),
    ask(world, inviteMember, { body: { email: freshEmail(), role: 'VIEWER' } }),
    hearCustomer(organizationId),
    buyCredits(world),
    giveUpWork(organizationId),
    takeCommentCall('YOUTUBE'),
    closeIncident(),
    maintain(),
    measure(organizationId),
    changeAddress(),
    write(planSlot(organizationId, 1)),
    goLive(world),
  ]);
}

async function goLive({ organizationId, people: { OWNER } }: World): Promise<void> {
  const { userId, sessionId } = OWNER;
  await createLiveTicket({ organizationId, userId, sessionId });
  const { ticket } = await createLiveTicket({ organizationId, userId, sessionId });
  await openLiveConnection(ticket, 'a-connection');
  // The texts of events differ between runs.
  await endLiveState(organizationId);
}

/** Reserves the user's previous verified address. */
async function changeAddress(): Promise<void> {
  const { token } = await newVerifiedAccount();
  await call(updateMe, { token, body: { email: freshEmail() } });
}

async function hearCustomer(organizationId: string): Promise<void> {
  const message = await storeMessage(await storeConversation(organizationId));
  await write(planRecentText(organizationId, message));
  const account = { organizationId, id: message.accountId };
  const withdrawal = { action: 'withdraw', text: '', occurredAt: timestamp() } as const;
  await changeMessage(account, { ...withdrawal, messageId: message.id }, { pk: '', sk: '' });
}

/** Publishes a post, reads its metrics while it exists, and deletes it. */
async function deletePublishedPost(world: World): Promise<void> {
  const { id, platform } = await connectedAccount(world.organizationId);
  const body = { socialAccountId: id, platform, content: 'New engines' };
  const created = await ask(world, createContentPost, { body });
  const publishedAt = now();
  setClock(() => publishedAt + hourMs);
  await snapshotPosts(() => minuteMs);
  setClock(() => publishedAt);
  await ask(world, deleteContentPost, { params: { post_id: created.body.contentPost.id } });
}

async function buyCredits(world: World): Promise<void> {
  const paymentMethodId = await defaultCardOf(world.organizationId);
  await ask(world, purchaseCredits, { body: { amount: 10, paymentMethodId } });
}

async function giveUpWork(organizationId: string): Promise<void> {
  const work = planWork('mail', {
    owner: keys.organization(organizationId),
    payload: '',
    leaveToSweep: true,
  });
  await write(work);
  const set = { duePk: null, dueAt: null, expiresAtSeconds: epochSeconds(60) };
  await write(change(work.key, { set }));
}

async function closeIncident(): Promise<void> {
  const { id } = await openIncident({
    service: 'ai',
    title: 'Answers are slow',
    message: 'We are looking into it',
    impact: 'minor',
    isAutomatic: false,
  });
  await updateIncident(id, 'resolved', 'They are fast again');
}

function maintain() {
  return announceMaintenance({
    title: 'A larger table',
    message: 'Nothing is lost',
    startsAt: timestamp(-60_000),
    endsAt: timestamp(60_000),
  });
}

/** Measures a request and writes its metrics. */
async function measure(organizationId: string): Promise<void> {
  const { METRICS_FLUSH_SECONDS } = process.env;
  process.env.METRICS_FLUSH_SECONDS = '10';
  forgetLastFlush();
  recordRequest({ route: 'GET /past', statusCode: 200, durationMs: 7, bytes: 7, organizationId });
  await flushWhenDue();
  process.env.METRICS_FLUSH_SECONDS = METRICS_FLUSH_SECONDS;
}

type Past = (world: World, call: CallInput) => Promise<unknown>;

/** By operation: past events of the resource in the call, which are kept for a limited time. */
export const pasts: Readonly<Record<string, Past>> = {
  getBioLinkStats: async ({ organizationId }, { params }) => {
    const key = keys.bioLink(organizationId, String(params?.link_id));
    const link = await get<{ shortCode: string }>(key);
    // Enough hosts that some counters move to the daily items.
    for (let number = 0; number < 4 * clickShards * clickShards; number += 1) {
      const referer = `https://news-${number}.example.com/`;
      const headers = { 'user-agent': `${browser['user-agent']} ${number}`, referer };
      await call(followBioLink, { params: { code: String(link?.shortCode) }, headers });
    }
  },
  getSocialAccountStats: (world, { params }) =>
    ask(world, syncSocialAccount, { params: { ...params }, body: {} }),
};
