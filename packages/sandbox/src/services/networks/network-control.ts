import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { describeIssues, jsonAnswer, parseJson, refusal } from '../../frame/http.ts';
import type { ControlRoute, SandboxAnswer, SandboxRequest } from '../../frame/service.ts';
import { callService } from './call-service.ts';
import { addPerson } from './consent/consent-state.ts';
import {
  type CreatedEvent,
  type Delivery,
  eventActions,
  eventTypes,
  fileKinds,
  type NetworkDefinition,
} from './network-definition.ts';
import { accountOf, addPost, commentsUnder, type NetworkWorld, postsOf } from './network-world.ts';
import type { GrantRequest } from './token-store.ts';

const id = z.string().min(1);
const count = z.number().min(0);
const tokenSchema = z.strictObject({
  userId: id,
  userName: z.string().min(1).optional(),
  /** Creates a user token, on networks where people manage pages. */
  pages: z.array(z.strictObject({ id, name: z.string() })).optional(),
  scopes: z.array(z.string()).optional(),
  /** Seconds. */
  expiresIn: z.number().optional(),
  /** Creates a token of the network's second app, for messages and comments. */
  purpose: z.literal('messaging').optional(),
});
const accountSchema = z.strictObject({
  name: z.string().min(1).optional(),
  followers: count.optional(),
});
const metricsSchema = z.record(z.string(), count);
const postSchema = z.strictObject({
  userId: id,
  text: z.string(),
  media: z.array(z.url()).default([]),
  at: z.iso.datetime().optional(),
});
const editSchema = z.strictObject({ text: z.string() });
const shares = z.record(z.string(), count.max(100));
const demographicsSchema = z.strictObject({ ageGroups: shares, genders: shares });
const handshakeSchema = z.strictObject({
  callbackUrl: z.url().optional(),
  verifyToken: z.string().optional(),
});
const personSchema = z.strictObject({
  name: z.string().nullable(),
  username: z.string().optional(),
  avatarUrl: z.string().optional(),
});
const signInSchema = z.strictObject({
  id,
  name: z.string().min(1),
  accounts: z
    .array(z.strictObject({ id, name: z.string().min(1), avatarUrl: z.string().optional() }))
    .default([]),
  scopes: z.array(z.string()).optional(),
  refreshToken: z.boolean().default(true),
});
const defaultBytes = 1_000;
const maximumDeliveries = 1_000;
const eventSchema = z.strictObject({
  userId: id,
  type: z.enum(eventTypes),
  text: z.string(),
  from: z.strictObject({ id, name: z.string() }),
  postId: id.optional(),
  eventId: id.optional(),
  echo: z.boolean().default(false),
  attachments: z
    .array(
      z.strictObject({
        kind: z.enum(fileKinds),
        url: z.string().optional(),
        contentType: z.string().optional(),
        bytes: count.max(50_000_000).optional(),
      }),
    )
    .default([]),
  at: z.iso.datetime().optional(),
  action: z.enum(eventActions).default('send'),
  isAnonymous: z.boolean().default(false),
  repostOf: id.optional(),
  quoteOf: id.optional(),
  deliveries: z.int().min(0).max(maximumDeliveries).default(1),
});
const tapSchema = z.strictObject({
  userId: id,
  type: z.literal('tap'),
  from: z.strictObject({ id, name: z.string() }),
  /**
   * The `id` of a reply. Absent for a button that another app created: its payload is in `payload`.
   */
  replyId: id.optional(),
  label: z.string(),
  payload: z.string().max(1_000).optional(),
  eventId: id.optional(),
  at: z.iso.datetime().optional(),
  deliveries: z.int().min(0).max(maximumDeliveries).default(1),
});

const signedRequestSchema = z.strictObject({
  personId: id,
  kind: z.enum(['deauthorize', 'data-deletion']),
  at: z.iso.datetime().optional(),
  deliver: z.boolean().default(true),
});

const leadAdSchema = z.strictObject({
  userId: id,
  fields: z.record(z.string().min(1), z.string()),
  leadgenId: id.optional(),
  formId: id.optional(),
  adId: id.optional(),
  deliveries: z.int().min(0).max(maximumDeliveries).default(1),
});

export type LeadAdRequest = z.input<typeof leadAdSchema>;
export type PostRequest = z.input<typeof postSchema>;
export type DemographicsRequest = z.input<typeof demographicsSchema>;
export type TokenRequest = z.input<typeof tokenSchema>;
export type AccountRequest = z.input<typeof accountSchema>;
export type EventRequest = z.input<typeof eventSchema>;
export type TapRequest = z.input<typeof tapSchema>;
export type PersonRequest = z.input<typeof personSchema>;
export type SignInRequest = z.input<typeof signInSchema>;
export type SignedRequestRequest = z.input<typeof signedRequestSchema>;
export type HandshakeRequest = z.input<typeof handshakeSchema>;

const unknownService = 'The service URL is not set. Set it with POST /_sandbox/service-url';

/** The control API of a network: tokens, accounts, posts, events and handshakes. */
export function networkControl(
  definition: NetworkDefinition,
  world: () => NetworkWorld,
): readonly ControlRoute[] {
  const base = `/social/${definition.platform.toLowerCase()}`;
  const route = (method: string, path: string, answer: ControlRoute['answer']): ControlRoute => ({
    method,
    path: new RegExp(`^${base}${path}$`),
    answer,
  });

  return [
    route('POST', '/tokens', (request) => issueToken(definition, world(), request)),
    route('DELETE', '/tokens/([^/]+)', (_request, [token = '']) =>
      revokeToken(definition, world(), token) ? jsonAnswer(200, {}) : refusal(404, 'No such token'),
    ),
    route('GET', '/posts', (request) => listPosts(world(), request)),
    route('POST', '/posts', (request) => makePost(definition, world(), request)),
    route('PATCH', '/posts/([^/]+)', (request, [postId = '']) =>
      editPost(definition, world(), postId, request),
    ),
    route('PUT', '/posts/([^/]+)/demographics', (request, [postId = '']) =>
      setDemographics(definition, world(), postId, request),
    ),
    route('PUT', '/posts/([^/]+)/metrics', (request, [postId = '']) =>
      setMetrics(world(), postId, request),
    ),
    route('PUT', '/accounts/([^/]+)', (request, [userId = '']) =>
      setAccount(world(), userId, request),
    ),
    route('POST', '/people', (request) => registerPerson(definition, world(), request)),
    route('PUT', '/people/([^/]+)', (request, [personId = '']) =>
      withBody(personSchema, request, (person) => {
        world().people.set(personId, person);

        return jsonAnswer(200, {});
      }),
    ),
    route('GET', '/replies', (request) =>
      jsonAnswer(200, { replies: ofUser([...world().replies.values()], request) }),
    ),
    route('GET', '/comments', (request) =>
      jsonAnswer(200, { comments: listComments(definition, world(), request) }),
    ),
    route('GET', '/subscriptions', (request) =>
      jsonAnswer(200, { subscriptions: ofUser([...world().subscriptions.values()], request) }),
    ),
    route('POST', '/events', (request) => sendEvent(definition, world(), request)),
    route('POST', '/lead-ads', (request) => sendLeadAd(definition, world(), request)),
    route('POST', '/signed-requests', (request) => sendSignedRequest(definition, world(), request)),
    route('PUT', '/settings', (request) => changeSettings(definition, world(), request)),
    route('POST', '/handshake', (request) => runHandshake(definition, world(), request)),
  ];
}

/** Parses the body of a control call. Returns a 400 if it is invalid. */
function withBody<T>(
  schema: z.ZodType<T>,
  request: SandboxRequest,
  next: (body: T) => SandboxAnswer | Promise<SandboxAnswer>,
): SandboxAnswer | Promise<SandboxAnswer> {
  const parsed = schema.safeParse(parseJson(request.body));

  return parsed.success ? next(parsed.data) : refusal(400, describeIssues(parsed.error));
}

function ofUser<T extends { readonly userId: string }>(
  all: readonly T[],
  request: SandboxRequest,
): readonly T[] {
  const userId = request.query.get('userId');

  return userId === null ? all : all.filter((one) => one.userId === userId);
}

function issueToken(definition: NetworkDefinition, world: NetworkWorld, request: SandboxRequest) {
  return withBody(tokenSchema, request, ({ purpose, ...body }) => {
    if (purpose !== undefined) {
      return issueMessagingToken(definition, world, body);
    }

    const { accessToken, refreshToken, userName } = world.tokens.issue({
      ...body,
      userName: body.userName ?? accountOf(world, body.userId).name,
    });
    accountOf(world, body.userId, userName);

    return jsonAnswer(200, { accessToken, refreshToken });
  });
}

function issueMessagingToken(
  { platform, messaging }: NetworkDefinition,
  world: NetworkWorld,
  request: GrantRequest,
): SandboxAnswer {
  if (messaging === undefined) {
    return refusal(400, `${platform} has no separate tokens for messages`);
  }

  const { accessToken, refreshToken, issuedAt, expiresAt } = messaging.tokens(world).issue(request);
  const lifetimeMs = (expiresAt?.getTime() ?? 0) - issuedAt.getTime();

  return jsonAnswer(200, {
    accessToken,
    refreshToken,
    expiresIn: lifetimeMs / 1_000,
    openId: messaging.openIdOf(request.userId),
  });
}

function revokeToken(
  { messaging }: NetworkDefinition,
  world: NetworkWorld,
  token: string,
): boolean {
  return world.tokens.revoke(token) || (messaging?.tokens(world).revoke(token) ?? false);
}

/** Registers somebody who can give consent on the network's authorization page. */
function registerPerson(
  { platform, managesAccounts }: NetworkDefinition,
  world: NetworkWorld,
  request: SandboxRequest,
) {
  return withBody(signInSchema, request, ({ refreshToken, ...person }) => {
    const { id: personId, name, accounts } = person;
    if (!managesAccounts && accounts.length > 1) {
      return refusal(400, `accounts: people have one account on ${platform}`);
    }
    const own = managesAccounts || accounts.length > 0 ? accounts : [{ id: personId, name }];
    addPerson(world, { ...person, accounts: own, hasRefreshToken: refreshToken });

    return jsonAnswer(200, { id: personId });
  });
}

/**
 * Lists comments with the ids of their events, which differ from the comment's id on some networks.
 */
function listComments(
  { eventIdOf }: NetworkDefinition,
  world: NetworkWorld,
  { query }: SandboxRequest,
) {
  return commentsUnder(world, query.get('userId')).map((one) => ({
    ...one,
    id: eventIdOf?.(world, one.id) ?? one.id,
  }));
}

function listPosts(world: NetworkWorld, request: SandboxRequest): SandboxAnswer {
  const userId = request.query.get('userId');
  const posts = userId === null ? [...world.posts.values()].reverse() : postsOf(world, userId);

  return jsonAnswer(200, {
    posts: posts.map((post) => ({ ...post, kind: post.settings?.postType ?? 'FEED' })),
  });
}

const inTheFuture = 'at: must not be in the future';

function makePost({ posts }: NetworkDefinition, world: NetworkWorld, request: SandboxRequest) {
  return withBody(postSchema, request, ({ at = world.clock().toISOString(), ...post }) => {
    if (Date.parse(at) > world.clock().getTime()) {
      return refusal(400, inTheFuture);
    }

    accountOf(world, post.userId);
    const names = posts.identify(world, post.userId);
    const made = addPost(world, { ...post, ...names, at: new Date(at).toISOString() });
    posts.keep?.(world, made);

    return jsonAnswer(200, { id: names.id });
  });
}

function editPost(
  { posts }: NetworkDefinition,
  world: NetworkWorld,
  postId: string,
  request: SandboxRequest,
) {
  return withBody(editSchema, request, ({ text }) => {
    const post = world.posts.get(postId);

    if (post === undefined) {
      return refusal(404, `No post ${postId}`);
    }

    const edited = { ...post, text };
    world.posts.set(postId, edited);
    posts.keep?.(world, edited);

    return jsonAnswer(200, {});
  });
}

function setDemographics(
  { platform, posts }: NetworkDefinition,
  world: NetworkWorld,
  postId: string,
  request: SandboxRequest,
) {
  return withBody(demographicsSchema, request, (demographics) => {
    if (posts.hasDemographics !== true) {
      return refusal(400, `${platform} does not report who saw a post`);
    }

    if (!world.posts.has(postId)) {
      return refusal(404, `No post ${postId}`);
    }

    world.demographics.set(postId, demographics);

    return jsonAnswer(200, {});
  });
}

function setMetrics(world: NetworkWorld, postId: string, request: SandboxRequest) {
  return withBody(metricsSchema, request, (metrics) => {
    const post = world.posts.get(postId);

    if (post === undefined) {
      return refusal(404, `No post ${postId}`);
    }

    world.posts.set(postId, { ...post, metrics: { ...post.metrics, ...metrics } });

    return jsonAnswer(200, {});
  });
}

function setAccount(world: NetworkWorld, userId: string, request: SandboxRequest) {
  return withBody(accountSchema, request, ({ name, followers }) => {
    const account = accountOf(world, userId, name);
    world.accounts.set(userId, { ...account, followers: followers ?? account.followers });

    return jsonAnswer(200, {});
  });
}

function sendEvent(definition: NetworkDefinition, world: NetworkWorld, request: SandboxRequest) {
  const kind = z.object({ type: z.literal('tap') }).safeParse(parseJson(request.body));

  if (kind.success) {
    return sendTap(definition, world, request);
  }

  return withBody(eventSchema, request, async (said) => {
    const { create, isPolled = false } = definition.events;
    const { attachments, deliveries, at = world.clock().toISOString(), ...event } = said;
    const problem =
      eventProblem(definition, world, said) ?? (isPolled ? undefined : unsent(world, deliveries));

    if (problem !== undefined) {
      return refusal(400, problem);
    }

    const files = attachments.map((file) => served(world, request, file));

    return deliver(world, create(world, { ...event, at, attachments: files }), deliveries);
  });
}

/** Sends the event that results when a customer taps a button. */
function sendTap(definition: NetworkDefinition, world: NetworkWorld, request: SandboxRequest) {
  return withBody(tapSchema, request, async (said) => {
    const { userId, from, replyId, label, payload = null, eventId, deliveries } = said;
    const { at = world.clock().toISOString() } = said;
    const { createTap } = definition.events;
    const reply = world.replies.get(replyId ?? '');
    const isTheirs = reply?.userId === userId && reply.to === from.id;
    const button =
      replyId === undefined
        ? { label, reply: payload }
        : reply?.buttons.find((one) => one.label === label && one.reply !== null);

    if (createTap === undefined || button === undefined || (replyId !== undefined && !isTheirs)) {
      return refusal(400, 'replyId and label must name a button with a reply');
    }

    const problem =
      Date.parse(at) > world.clock().getTime() ? inTheFuture : unsent(world, deliveries);

    return problem === undefined
      ? deliver(world, createTap(world, { userId, from, button, eventId, at }), deliveries)
      : refusal(400, problem);
  });
}

function unsent(world: NetworkWorld, deliveries: number): string | undefined {
  return world.serviceUrl() === undefined && deliveries > 0 ? unknownService : undefined;
}

/** Submits the form of a lead ad. The same id is the same submission. */
function sendLeadAd(
  { platform, submitLeadAd }: NetworkDefinition,
  world: NetworkWorld,
  request: SandboxRequest,
) {
  return withBody(leadAdSchema, request, async ({ deliveries, ...form }) => {
    if (submitLeadAd === undefined) {
      return refusal(400, `${platform} has no lead ads`);
    }

    const problem = unsent(world, deliveries);

    if (problem !== undefined) {
      return refusal(400, problem);
    }

    const { eventId: leadgenId, delivery } = submitLeadAd(world, form);
    const sent = await send(world, delivery, deliveries);

    return jsonAnswer(200, { leadgenId, ...sent });
  });
}

async function deliver(
  world: NetworkWorld,
  { eventId, delivery }: CreatedEvent,
  deliveries: number,
): Promise<SandboxAnswer> {
  return jsonAnswer(200, { eventId, ...(await send(world, delivery, deliveries)) });
}

async function send(world: NetworkWorld, delivery: Delivery | undefined, deliveries: number) {
  if (delivery === undefined) {
    return { responses: [] };
  }

  const target = `${world.serviceUrl()}/webhooks/${world.platform.toLowerCase()}`;
  const answers = await Promise.all(
    Array.from({ length: deliveries }, () =>
      callService(target, { method: 'POST', headers: delivery.headers, body: delivery.body }),
    ),
  );
  const responses = answers.map(({ status }) => ({ status }));

  return { responses, delivery };
}

/** Sends the form that Meta sends when a person removes the app or wants their data deleted. */
function sendSignedRequest(
  { platform, signRequest }: NetworkDefinition,
  world: NetworkWorld,
  request: SandboxRequest,
) {
  return withBody(signedRequestSchema, request, async ({ personId, kind, at, deliver }) => {
    const serviceUrl = world.serviceUrl();

    if (signRequest === undefined) {
      return refusal(400, `${platform} sends no signed requests`);
    }

    if (serviceUrl === undefined && deliver) {
      return refusal(400, unknownService);
    }

    const body = new URLSearchParams({
      signed_request: signRequest(world, personId, at ? new Date(at) : world.clock()),
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const target = `${serviceUrl}/webhooks/${platform.toLowerCase()}/${kind}`;
    const response = deliver
      ? await callService(target, { method: 'POST', headers, body })
      : undefined;

    return jsonAnswer(200, {
      delivery: { headers, body },
      response: response ? { status: response.status, body: parseJson(response.body) } : null,
    });
  });
}

type Said = z.output<typeof eventSchema>;

function eventProblem(
  { platform, events: { types, files = [], changes = {}, hasReposts = false } }: NetworkDefinition,
  world: NetworkWorld,
  { type, attachments, action, eventId, at, repostOf, quoteOf }: Said,
): string | undefined {
  const unknown = attachments.find(({ kind }) => type !== 'message' || !files.includes(kind));

  if (!types.includes(type)) {
    return `${platform} does not send ${type} events`;
  }

  if (unknown !== undefined) {
    return `${platform} does not send ${unknown.kind} files in a ${type}`;
  }

  if (at !== undefined && Date.parse(at) > world.clock().getTime()) {
    return inTheFuture;
  }

  if ((repostOf !== undefined || quoteOf !== undefined) && !hasReposts) {
    return `${platform} has no reposts`;
  }

  if (action === 'send') {
    return undefined;
  }

  if (!changes[action]?.includes(type)) {
    return `${platform} does not send ${action} events of a ${type}`;
  }

  if (action === 'announce') {
    return undefined;
  }

  return world.messages.has(eventId ?? '') || world.comments.has(eventId ?? '')
    ? undefined
    : 'eventId: must name an earlier message or comment';
}

/** Stores the content of a file that the sandbox serves. */
function served(world: NetworkWorld, request: SandboxRequest, file: Said['attachments'][number]) {
  const { kind, contentType = 'application/octet-stream', bytes = defaultBytes } = file;
  const id = randomUUID();
  const origin = `http://${request.headers.host}`;
  const url = file.url ?? `${origin}/${world.platform.toLowerCase()}/_files/${id}`;
  world.files.set(id, { url, contentType, bytes });

  return { id, kind, url };
}

function changeSettings(
  { platform, settings }: NetworkDefinition,
  world: NetworkWorld,
  request: SandboxRequest,
) {
  if (settings === undefined) {
    return refusal(400, `${platform} has no settings`);
  }

  return withBody(settings.schema, request, (body) => {
    settings.apply(world, body);

    return jsonAnswer(200, {});
  });
}

function runHandshake(definition: NetworkDefinition, world: NetworkWorld, request: SandboxRequest) {
  return withBody(handshakeSchema, request, async ({ callbackUrl, verifyToken }) => {
    const serviceUrl = world.serviceUrl();
    const own = serviceUrl && `${serviceUrl}/webhooks/${definition.platform.toLowerCase()}`;
    const target = callbackUrl ?? own;

    if (definition.performHandshake === undefined) {
      return refusal(400, `${definition.platform} has no handshake`);
    }

    if (target === undefined) {
      return refusal(400, unknownService);
    }

    return jsonAnswer(200, await definition.performHandshake(world, target, { verifyToken }));
  });
}
