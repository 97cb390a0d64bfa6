import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import {
  graphPath,
  parametersOf,
  reject,
  rejectParameter,
  rejectUnknown,
  requireGrant,
  requireProof,
  textOf,
} from '../meta/api.ts';
import { performHandshake } from '../meta/events.ts';
import { listAnswer } from '../meta/fields.ts';
import { type MessageLimits, sendMessage } from '../meta/messaging.ts';
import { insight, managedPage } from '../meta/node-types.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf, isoNow, metricOf, type NetworkWorld, postsOf } from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import { shortLivedSeconds } from './consent-routes.ts';
import { requirePageToken } from './page-access.ts';

const messageLimits: MessageLimits = {
  maximum: 2_000,
  lengthOf: (text) => text.length,
  imageTypes: ['image/jpeg', 'image/png', 'image/gif'],
};
const pageSize = 2;

/** Tokens, pages, messages and subscriptions. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: graphPath('/debug_token'), answer: debugToken },
  { method: 'GET', path: graphPath('/me/accounts'), answer: listPages },
  { method: 'GET', path: graphPath('/([^/]+)/ids_for_pages'), answer: listPageScopedIds },
  { method: 'GET', path: graphPath('/([^/]+)/insights'), answer: pageInsights },
  { method: 'POST', path: graphPath('/([^/]+)/messages'), answer: sendPageMessage },
  { method: 'POST', path: graphPath('/([^/]+)/subscribed_apps'), answer: subscribePage },
  { method: 'DELETE', path: graphPath('/([^/]+)/subscribed_apps'), answer: unsubscribePage },
  { method: 'POST', path: graphPath('/([^/]+)/subscriptions'), answer: setAppCallback },
];

function debugToken({ world, request }: NetworkCall): SandboxAnswer {
  requireAppToken({ world, request });
  const token = request.query.get('input_token') ?? '';
  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || grant === undefined) {
    return jsonAnswer(200, {
      data: {
        app_id: world.app.clientId,
        is_valid: false,
        scopes: [],
        error: { code: 190, message: `The access token is ${state}` },
      },
    });
  }

  const isPage = !grant.isPerson;

  return jsonAnswer(200, {
    data: {
      app_id: world.app.clientId,
      type: isPage ? 'PAGE' : 'USER',
      is_valid: true,
      issued_at: seconds(grant.issuedAt),
      expires_at: grant.expiresAt === null ? 0 : seconds(grant.expiresAt),
      data_access_expires_at: 0,
      scopes: grant.scopes,
      user_id: isPage ? (grant.personId ?? `person-of-${grant.userId}`) : grant.userId,
      ...(isPage ? { profile_id: grant.userId } : {}),
    },
  });
}

function requireAppToken({ world, request }: Pick<NetworkCall, 'world' | 'request'>): void {
  const { clientId, clientSecret } = world.app;

  if (textOf(parametersOf(request), 'access_token') !== `${clientId}|${clientSecret}`) {
    reject({ status: 400, code: 190, message: 'Invalid OAuth access token.' });
  }
}

/**
 * Returns the page-scoped ids of a person. In the sandbox, a person has the same id on all pages.
 */
function listPageScopedIds({ world, request, parts: [personId = ''] }: NetworkCall): SandboxAnswer {
  requireAppToken({ world, request });
  const { clientId, clientSecret } = world.app;
  requireProof({ world, request }, { accessToken: `${clientId}|${clientSecret}` });
  const wroteTo = [
    ...[...world.messages.values()].filter(({ customer }) => customer.id === personId),
    ...[...world.comments.values()].filter(({ from }) => from.id === personId),
  ].map(({ userId }) => userId);

  if (wroteTo.length === 0) {
    rejectUnknown(request.method, personId);
  }

  return jsonAnswer(200, {
    data: [...new Set(wroteTo)].map((pageId) => ({
      id: personId,
      page: { id: pageId, name: accountOf(world, pageId).name },
    })),
    paging: {},
  });
}

/** Lists a user's pages. Returns two per response, so that tests cover pagination. */
function listPages(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'pages_show_list');
  requireProof(call, grant);

  if (!grant.isPerson) {
    rejectParameter('Tried accessing nonexisting field (accounts) on node type (Page)');
  }

  const { world, request } = call;
  const start = Number(request.query.get('after') ?? 0);
  const pages = grant.pages.slice(start, start + pageSize);
  const after = String(start + pageSize);
  const hasMore = grant.pages.length > start + pageSize;
  // The real `next` is a complete URL. Clients only need the cursor.
  const next = hasMore
    ? { cursors: { after }, next: `https://graph.facebook.com${request.path}` }
    : {};

  return listAnswer(request, managedPage, {
    data: pages.map(({ id, name }) => ({
      ...describePage(world, id, name),
      access_token: issuePageToken(world, grant, { id, name }),
    })),
    paging: next,
  });
}

/**
 * A page's token expires with a short-lived token of the person, and never with a long-lived one.
 */
function issuePageToken(
  world: NetworkWorld,
  { userId: personId, issuedAt, expiresAt, scopes }: Grant,
  { id, name }: Grant['pages'][number],
): string {
  const lifetime =
    expiresAt === null ? Number.POSITIVE_INFINITY : seconds(expiresAt) - seconds(issuedAt);
  const left = expiresAt === null ? 0 : seconds(expiresAt) - seconds(world.clock());
  const expiresIn = lifetime <= shortLivedSeconds ? left : undefined;

  return world.tokens.issue({ userId: id, userName: name, personId, scopes, expiresIn })
    .accessToken;
}

/** Returns the fields of a page. */
export function describePage(world: NetworkWorld, id: string, name?: string) {
  const page = accountOf(world, id, name);

  return {
    id,
    name: page.name,
    category: 'Business',
    tasks: ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'],
    link: `https://www.facebook.com/${encodeURIComponent(id)}`,
    fan_count: page.followers,
    followers_count: page.followers,
    is_published: true,
    ...(page.avatarUrl ? { picture: { data: { url: page.avatarUrl } } } : {}),
  };
}

const pageMetrics = [
  'page_media_view',
  'page_total_media_view_unique',
  'page_post_engagements',
  'page_daily_follows',
] as const;

function pageInsights(call: NetworkCall): SandboxAnswer {
  const [id = ''] = call.parts;

  if (call.world.posts.has(id)) {
    return postInsights(call, id);
  }

  requirePageToken(call, id, 'read_insights');
  const posts = postsOf(call.world, id);
  const sum = (names: readonly string[]) =>
    posts.reduce(
      (total, post) => total + names.reduce((value, name) => value + metricOf(post, name), 0),
      0,
    );
  const values: Readonly<Record<(typeof pageMetrics)[number], number>> = {
    page_media_view: sum(['impressions']),
    page_total_media_view_unique: sum(['reach']),
    page_post_engagements: sum(['likes', 'comments', 'shares', 'clicks']),
    page_daily_follows: 0,
  };

  return insights(call, values, isoNow(call.world));
}

function postInsights(call: NetworkCall, id: string): SandboxAnswer {
  const grant = requireGrant(call, 'read_insights');
  requireProof(call, grant);
  const post = call.world.posts.get(id);

  if (post === undefined || post.userId !== grant.userId) {
    return rejectParameter(`Object with ID '${id}' does not belong to the page`);
  }

  return insights(
    call,
    {
      post_total_media_view_unique: metricOf(post, 'reach'),
      post_media_view: metricOf(post, 'impressions'),
      post_clicks: metricOf(post, 'clicks'),
    },
    post.at,
  );
}

function insights(
  { request }: NetworkCall,
  values: Readonly<Record<string, number>>,
  endTime: string,
): SandboxAnswer {
  const requested = (request.query.get('metric') ?? '').split(',');
  const unknown = requested.find((name) => !Object.hasOwn(values, name));

  if (unknown !== undefined) {
    rejectParameter('The value must be a valid insights metric');
  }

  const period = request.query.get('period') ?? 'lifetime';

  return listAnswer(request, insight, {
    data: requested.map((name) => ({
      name,
      period,
      values: [{ value: values[name], end_time: endTime }],
    })),
  });
}

function sendPageMessage(call: NetworkCall): Promise<SandboxAnswer> {
  const [pageId = ''] = call.parts;
  requirePageToken(call, pageId, 'pages_messaging');
  const type = textOf(parametersOf(call.request), 'messaging_type');

  if (!['RESPONSE', 'UPDATE', 'UTILITY'].includes(type ?? '')) {
    rejectParameter('The parameter messaging_type is required');
  }

  return sendMessage(call, pageId, messageLimits);
}

const fields = new Set([
  'feed',
  'messages',
  'message_edits',
  'messaging_postbacks',
  'message_echoes',
  'mention',
  'leadgen',
]);

function subscribePage(call: NetworkCall): SandboxAnswer {
  const [pageId = ''] = call.parts;
  requirePageToken(call, pageId, 'pages_manage_metadata');
  const requested = (textOf(parametersOf(call.request), 'subscribed_fields') ?? '').split(',');

  if (requested.some((field) => !fields.has(field))) {
    rejectParameter('Param subscribed_fields must be one of the known fields');
  }

  call.world.subscriptions.set(pageId, {
    userId: pageId,
    fields: requested,
    callbackUrl: null,
    at: isoNow(call.world),
  });

  return jsonAnswer(200, { success: true });
}

function unsubscribePage(call: NetworkCall): SandboxAnswer {
  const [pageId = ''] = call.parts;
  requirePageToken(call, pageId, 'pages_manage_metadata');
  call.world.subscriptions.delete(pageId);

  return jsonAnswer(200, { success: true });
}

/** Sets the app's callback URL, after the URL has answered a challenge. */
async function setAppCallback(call: NetworkCall): Promise<SandboxAnswer> {
  const { world, request } = call;
  requireAppToken(call);
  const parameters = parametersOf(request);
  const callbackUrl = textOf(parameters, 'callback_url') ?? '';
  const verifyToken = textOf(parameters, 'verify_token');

  if (!URL.canParse(callbackUrl)) {
    rejectParameter('The parameter callback_url is required');
  }

  const { isAccepted, status } = await performHandshake(world, callbackUrl, { verifyToken });

  if (!isAccepted) {
    reject({
      status: 400,
      code: 2200,
      message: `(#2200) callback verification failed: HTTP status ${status}`,
    });
  }

  return jsonAnswer(200, { success: true });
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
