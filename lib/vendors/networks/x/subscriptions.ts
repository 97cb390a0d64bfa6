import type { Credentials, SubscriptionsApi } from '#lib/vendors/networks/network.ts';
import { asAppCall, networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

/** The maximum page size. X documents no next page, but one is read if it exists. */
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
async function ensureWebhook(appToken: string, url: string): Promise<string> {
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
 * no status code for this. So after any rejection, this checks whether the other webhook exists.
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
    const { data, meta } = await call({
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
async function createSubscription(
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

async function endSubscription(appToken: string, { subscription_id: id }: Subscription) {
  await call({
    method: 'DELETE',
    path: `/2/activity/subscriptions/${encodeURIComponent(id)}`,
    token: appToken,
    isHarmless: true,
    alsoAccepts: [404],
    answer: z.unknown(),
  });
}

/**
 * The event types that deliver comments. X sends no `post.mention.create` for a reply's implicit
 * mention.
 */
const commentEvents = ['post.reply.create', 'post.mention.create'] as const;
/** The event types without which the subscription of an account fails. */
const requiredEvents = ['dm.received', 'dm.sent', 'post.create'] as const;
const optionalEvents = ['post.quote.create'] as const;

/**
 * Subscribes the account to the app's webhook. Creates the webhook if it does not exist.
 *
 * @returns `withoutComments` if X rejects the events for comments.
 * @throws NetworkError if another subscription fails, after trying all of them.
 */
export const subscribe: SubscriptionsApi['subscribe'] = async (credentials, callbackUrl) => {
  const appToken = await requireAppToken();
  const [webhookId, known] = await asAppCall(
    Promise.all([
      ensureWebhook(appToken, callbackUrl),
      listSubscriptions(appToken, credentials.platformUserId),
    ]),
  );
  const request = async (type: string): Promise<void> => {
    if (!known.some((one) => one.event_type === type && one.webhook_id === webhookId)) {
      await createSubscription(credentials, webhookId, type);
    }
  };
  const tried = await Promise.allSettled([
    Promise.all(requiredEvents.map(request)),
    acceptsAll(commentEvents.map(request)),
    acceptsAll(optionalEvents.map(request)),
  ]);
  const failed = tried.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
  const [, comments] = tried;

  return comments.status === 'fulfilled' && comments.value ? undefined : 'withoutComments';
};

/** Returns false if X rejects one of the subscriptions permanently. */
async function acceptsAll(subscriptions: ReadonlyArray<Promise<void>>): Promise<boolean> {
  const tried = await Promise.allSettled(subscriptions);
  const failures = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = failures.find((failure) => !isRejection(failure));
  if (other !== undefined) {
    throw other;
  }

  return failures.length === 0;
}

/** Deletes the account's subscriptions. Keeps the webhook, which serves all accounts. */
export const unsubscribe: SubscriptionsApi['unsubscribe'] = async ({ platformUserId }) => {
  const appToken = await requireAppToken();
  const known = await asAppCall(listSubscriptions(appToken, platformUserId));
  await asAppCall(Promise.all(known.map((one) => endSubscription(appToken, one))));
};

async function requireAppToken(): Promise<string> {
  const { appToken } = await networkApp(platform);
  if (appToken === undefined) {
    throw new NetworkError(platform, 'unavailable', {
      message: 'The secret has no app token for managing webhooks',
    });
  }

  return appToken;
}

function isRejection(failure: unknown): boolean {
  return (
    failure instanceof NetworkError &&
    (failure.kind === 'refused' || failure.kind === 'scopeMissing')
  );
}
