import type { Credentials } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

/** The maximum. X documents no way to a further page, but one is followed if it exists. */
const pageSize = 1_000;
const maxPages = 50;

const webhook = z.object({ id: z.string(), url: z.string(), valid: z.boolean().optional() });
const webhooks = z.object({ data: z.array(webhook).default([]) });
const createdWebhook = z.object({ data: webhook });
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

/**
 * Returns the id of the webhook for a URL, and creates it if needed. X checks the URL on creation;
 * an invalid webhook is checked again.
 */
export async function ensureWebhook(appToken: string, url: string): Promise<string> {
  const known = await findWebhook(appToken, url);
  if (known?.valid === false) {
    await call({
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

  return createWebhook(appToken, url);
}

/**
 * If two accounts create the webhook concurrently, X rejects one as DuplicateUrlFailed. X documents
 * no status for that, so every rejection looks for the other's webhook.
 */
async function createWebhook(appToken: string, url: string): Promise<string> {
  try {
    const { data } = await call({
      method: 'POST',
      path: '/2/webhooks',
      token: appToken,
      json: { url },
      isHarmless: true,
      answer: createdWebhook,
    });

    return data.id;
  } catch (failure) {
    const other =
      failure instanceof NetworkError && failure.kind === 'refused'
        ? await findWebhook(appToken, url)
        : undefined;
    if (other) {
      return other.id;
    }
    throw failure;
  }
}

async function findWebhook(appToken: string, url: string): Promise<Webhook | undefined> {
  const { data } = await call({
    method: 'GET',
    path: '/2/webhooks',
    token: appToken,
    answer: webhooks,
  });

  return data.find((one) => one.url === url);
}

export async function listSubscriptions(
  appToken: string,
  userId: string,
): Promise<readonly Subscription[]> {
  const found: Subscription[] = [];
  let page: string | undefined;
  for (let read = 0; read < maxPages; read += 1) {
    const { data, meta } = await call({
      method: 'GET',
      path: '/2/activity/subscriptions',
      token: appToken,
      query: { max_results: pageSize, pagination_token: page },
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
 * Subscribes with the account's own token, which X requires for private events. A 409 means that
 * the subscription already exists.
 */
export async function createSubscription(
  { platformUserId, accessToken }: Credentials,
  webhookId: string,
  type: string,
): Promise<void> {
  await call({
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

export async function endSubscription(appToken: string, { subscription_id: id }: Subscription) {
  await call({
    method: 'DELETE',
    path: `/2/activity/subscriptions/${encodeURIComponent(id)}`,
    token: appToken,
    isHarmless: true,
    alsoAccepts: [404],
    answer: z.unknown(),
  });
}
