import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { isoNow, type NetworkWorld, numericId } from '../network-world.ts';
import {
  bodyOf,
  reject,
  rejectForbidden,
  rejectInvalid,
  rejectUnknown,
  requireApp,
  requireGrant,
} from './api.ts';
import { planOf } from './app.ts';
import { performHandshake } from './events.ts';

type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly valid: boolean;
  readonly created_at: string;
};

/** Not in the shared world, because only X has webhooks with ids. */
const webhooks = new WeakMap<NetworkWorld, Map<string, Webhook>>();
const maximumUrlLength = 200;
const maximumPageSize = 1_000;
const defaultPageSize = 100;

/** The scope that each event type requires. */
const eventScopes: Readonly<Record<string, string>> = {
  'dm.received': 'dm.read',
  'dm.sent': 'dm.read',
  'post.create': 'tweet.read',
  'post.delete': 'tweet.read',
  'post.mention.create': 'tweet.read',
  'post.reply.create': 'tweet.read',
  'post.quote.create': 'tweet.read',
  'post.repost.create': 'tweet.read',
};
const newWebhook = z.object({ url: z.url() });
const newSubscription = z.strictObject({
  event_type: z.string(),
  filter: z.object({ user_id: z.string() }),
  webhook_id: z.string(),
  tag: z.string().optional(),
});

/** Webhooks and subscriptions. */
export const webhookRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/2\/webhooks$/, answer: listWebhooks },
  { method: 'POST', path: /^\/2\/webhooks$/, answer: createWebhook },
  { method: 'PUT', path: /^\/2\/webhooks\/([^/]+)$/, answer: checkWebhook },
  { method: 'GET', path: /^\/2\/activity\/subscriptions$/, answer: listSubscriptions },
  { method: 'POST', path: /^\/2\/activity\/subscriptions$/, answer: createSubscription },
  { method: 'DELETE', path: /^\/2\/activity\/subscriptions\/([^/]+)$/, answer: endSubscription },
];

function webhooksOf(world: NetworkWorld): Map<string, Webhook> {
  const known = webhooks.get(world) ?? new Map();
  webhooks.set(world, known);

  return known;
}

function listWebhooks(call: NetworkCall): SandboxAnswer {
  requireApp(call);
  const data = [...webhooksOf(call.world).values()];

  return jsonAnswer(200, {
    ...(data.length > 0 ? { data } : {}),
    meta: { result_count: data.length },
  });
}

/** Creates a webhook, after its URL has answered a challenge. */
async function createWebhook(call: NetworkCall): Promise<SandboxAnswer> {
  requireApp(call);
  const { world } = call;
  const parsed = newWebhook.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    rejectInvalid('url must be a URL');
  }

  const { url } = parsed.data;

  requireUsableUrl(url);
  requireNewUrl(world, url);
  await requireProof(world, url);
  // Checked again, because a concurrent call may have created it during the handshake.
  requireNewUrl(world, url);
  const created = { id: numericId(19), url, valid: true, created_at: isoNow(world) };
  webhooksOf(world).set(created.id, created);

  return jsonAnswer(200, { data: created });
}

/** URLs on this machine may use http and a port, because the local stack has no public URL. */
function requireUsableUrl(url: string): void {
  const { protocol, port, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  const isPublic = protocol === 'https:' && port === '';

  if (url.length > maximumUrlLength || (!isPublic && !isLocal)) {
    rejectWebhook('UrlValidationFailed', 'The URL must use https, without a port');
  }
}

/** X documents the error's reason, but not its status. */
function requireNewUrl(world: NetworkWorld, url: string): void {
  if (webhookAt(world, url) !== undefined) {
    rejectWebhook('DuplicateUrlFailed', 'A webhook is already registered for this URL');
  }
}

function rejectWebhook(title: string, detail: string): never {
  reject({ status: 400, title, detail, type: 'https://api.x.com/2/problems/invalid-request' });
}

async function checkWebhook(call: NetworkCall): Promise<SandboxAnswer> {
  requireApp(call);
  const [id = ''] = call.parts;
  const known = webhooksOf(call.world).get(id);

  if (known === undefined) {
    rejectUnknown('webhook', id);
  }

  await requireProof(call.world, known.url);
  webhooksOf(call.world).set(id, { ...known, valid: true });

  return jsonAnswer(200, { data: { valid: true } });
}

async function requireProof(world: NetworkWorld, url: string): Promise<void> {
  const { isAccepted, status } = await performHandshake(world, url);

  if (!isAccepted) {
    rejectWebhook(
      'CrcValidationFailed',
      `Crc validation failed for ${url}: status ${status ?? 'none'}`,
    );
  }
}

/** Pagination tokens have at least 16 characters. */
function listSubscriptions(call: NetworkCall): SandboxAnswer {
  requireApp(call);
  const { query } = call.request;
  const size = Number(query.get('max_results') ?? defaultPageSize);
  const token = query.get('pagination_token');

  if (!(size >= 1 && size <= maximumPageSize) || (token !== null && !/^\d{16}$/.test(token))) {
    rejectInvalid('max_results must be 1 to 1000, and pagination_token a token of this endpoint');
  }

  const from = Number(token ?? 0);
  const all = [...call.world.subscriptions].map(([id, one]) => ({
    subscription_id: id,
    event_type: one.fields[0],
    filter: { user_id: one.userId },
    webhook_id: webhookAt(call.world, one.callbackUrl)?.id,
    created_at: one.at,
  }));
  const data = all.slice(from, from + size);
  const next = from + size;

  return jsonAnswer(200, {
    data,
    meta: {
      total_subscriptions: all.length,
      ...(all.length > next ? { next_token: String(next).padStart(16, '0') } : {}),
    },
  });
}

function webhookAt(world: NetworkWorld, url: string | null): Webhook | undefined {
  return [...webhooksOf(world).values()].find((one) => one.url === url);
}

/** Creates a subscription. Private events require the account's own token. */
function createSubscription(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const parsed = newSubscription.safeParse(bodyOf(call.request));
  const scope = eventScopes[parsed.data?.event_type ?? ''];

  if (!parsed.success || scope === undefined) {
    rejectInvalid(`$.event_type: does not have a value in the enumeration`);
  }

  const { event_type: type, filter, webhook_id: webhookId } = parsed.data;
  const { userId } = requireGrant(call, scope);
  const webhook = webhooksOf(world).get(webhookId);

  if (planOf(world).rejectedEvents.includes(type)) {
    rejectForbidden(`Your app is not permitted to subscribe to ${type}`);
  }

  if (userId !== filter.user_id || webhook === undefined) {
    rejectInvalid('The user must be the authenticated user, and the webhook must exist');
  }

  const isDuplicate = [...world.subscriptions.values()].some(
    (one) => one.userId === userId && one.fields[0] === type && one.callbackUrl === webhook.url,
  );

  if (isDuplicate) {
    reject({ status: 409, title: 'Conflict', detail: 'DuplicateSubscription' });
  }

  const id = numericId(19);
  world.subscriptions.set(id, {
    userId,
    fields: [type],
    callbackUrl: webhook.url,
    at: isoNow(world),
  });

  return jsonAnswer(200, {
    data: {
      subscription: { subscription_id: id, event_type: type, filter, webhook_id: webhookId },
    },
  });
}

function endSubscription(call: NetworkCall): SandboxAnswer {
  requireApp(call);
  const [id = ''] = call.parts;

  if (!call.world.subscriptions.delete(id)) {
    rejectUnknown('subscription', id);
  }

  return jsonAnswer(200, { data: { deleted: true } });
}
