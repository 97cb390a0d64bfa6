import type { Credentials } from '#lib/vendors/networks/network.ts';
import { inAppsName, networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callTwitter } from './call.ts';

/**
 * What an account is subscribed to. Replies mention whom they answer, so mentions bring comments
 * too.
 */
const eventTypes = ['dm.received', 'dm.sent', 'post.create', 'post.mention.create'] as const;
/** Named by X's guides and missing in its specification: a refusal of these is no failure. */
const doubtfulEventTypes = ['post.reply.create', 'post.quote.create'] as const;
const maxPages = 50;

const webhook = z.object({ id: z.string(), url: z.string(), valid: z.boolean().optional() });
const webhooks = z.object({ data: z.array(webhook).default([]) });
const createdWebhook = z.object({ data: webhook.optional() });
type Webhook = z.output<typeof webhook>;
const subscription = z.object({
  subscription_id: z.string(),
  event_type: z.string(),
  filter: z.object({ user_id: z.string().optional() }).optional(),
  webhook_id: z.string().optional(),
});
const subscriptions = z.object({
  data: z.array(subscription).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
});
type Subscription = z.output<typeof subscription>;

/** Has X send the account's events to the app's webhook, which is made where there is none. */
export async function subscribeOnTwitter(
  credentials: Credentials,
  callbackUrl: string,
): Promise<void> {
  const appToken = await requireAppToken();
  const [webhookId, known] = await inAppsName(
    Promise.all([
      ensureWebhook(appToken, callbackUrl),
      listSubscriptions(appToken, credentials.platformUserId),
    ]),
  );
  const has = (type: string): boolean =>
    known.some((one) => one.event_type === type && one.webhook_id === webhookId);
  await Promise.all([
    ...eventTypes
      .filter((type) => !has(type))
      .map((type) => createSubscription(credentials, webhookId, type)),
    ...doubtfulEventTypes
      .filter((type) => !has(type))
      .map((type) => createSubscription(credentials, webhookId, type).catch(ignoreRefusal)),
  ]);
}

/** Ends all that X sends about the account; the webhook stays, as it is every account's. */
export async function unsubscribeOnTwitter({ platformUserId }: Credentials): Promise<void> {
  const appToken = await requireAppToken();
  const known = await inAppsName(listSubscriptions(appToken, platformUserId));
  await inAppsName(Promise.all(known.map((one) => endSubscription(appToken, one))));
}

async function requireAppToken(): Promise<string> {
  const { appToken } = await networkApp('TWITTER');
  if (appToken === undefined) {
    throw new NetworkError('TWITTER', 'unavailable', {
      message: 'The secret has no app token for managing webhooks',
    });
  }

  return appToken;
}

/**
 * The webhook at this address. X calls it for its handshake while it is created, and again where it
 * was not answered. Two accounts may be the first at once: one of them finds the other's.
 */
async function ensureWebhook(appToken: string, url: string): Promise<string> {
  const known = await findWebhook(appToken, url);
  if (known?.valid === false) {
    await callTwitter({
      method: 'PUT',
      path: `/2/webhooks/${encodeURIComponent(known.id)}`,
      token: appToken,
      isHarmless: true,
      answer: z.unknown(),
    });
  }
  if (known) {
    return known.id;
  }
  const created = await callTwitter({
    method: 'POST',
    path: '/2/webhooks',
    token: appToken,
    json: { url },
    isHarmless: true,
    alsoAccepts: [409],
    answer: createdWebhook,
  });
  const { id } = created.data ?? (await findWebhook(appToken, url)) ?? {};
  if (id === undefined) {
    throw new NetworkError('TWITTER', 'unavailable', { message: 'X did not create a webhook' });
  }

  return id;
}

async function findWebhook(appToken: string, url: string): Promise<Webhook | undefined> {
  const { data } = await callTwitter({
    method: 'GET',
    path: '/2/webhooks',
    token: appToken,
    answer: webhooks,
  });

  return data.find((one) => one.url === url);
}

async function listSubscriptions(
  appToken: string,
  userId: string,
): Promise<readonly Subscription[]> {
  const found: Subscription[] = [];
  let page: string | undefined;
  for (let read = 0; read < maxPages; read += 1) {
    const { data, meta } = await callTwitter({
      method: 'GET',
      path: '/2/activity/subscriptions',
      token: appToken,
      query: { pagination_token: page },
      answer: subscriptions,
    });
    found.push(...data.filter(({ filter }) => filter?.user_id === userId));
    page = meta?.next_token;
    if (page === undefined) {
      break;
    }
  }

  return found;
}

/**
 * With the account's own token: messages and mentions are private events, which X gives only on
 * the word of the account. One that is there already is a 409, and just as good.
 */
async function createSubscription(
  { platformUserId, accessToken }: Credentials,
  webhookId: string,
  type: string,
): Promise<void> {
  await callTwitter({
    method: 'POST',
    path: '/2/activity/subscriptions',
    token: accessToken,
    json: {
      event_type: type,
      filter: { user_id: platformUserId },
      webhook_id: webhookId,
      tag: type,
    },
    isHarmless: true,
    alsoAccepts: [409],
    answer: z.unknown(),
  });
}

async function endSubscription(appToken: string, { subscription_id: id }: Subscription) {
  await callTwitter({
    method: 'DELETE',
    path: `/2/activity/subscriptions/${encodeURIComponent(id)}`,
    token: appToken,
    isHarmless: true,
    alsoAccepts: [404],
    answer: z.unknown(),
  });
}

function ignoreRefusal(failure: unknown): void {
  if (!(failure instanceof NetworkError && failure.kind === 'refused')) {
    throw failure;
  }
}
