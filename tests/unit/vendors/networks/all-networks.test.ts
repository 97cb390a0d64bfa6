import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { capabilities, tokenFamilies } from '#lib/vendors/networks/capabilities.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { errorKinds } from '#schemas/errors.ts';
import type { Platform } from '#schemas/platforms.ts';
import { platforms } from '#schemas/platforms.ts';
import { networkAddresses } from '#scripts/dev/stack/local-environment.ts';
import type { Network } from '#tests/support/networks.ts';
import { networkOf } from '#tests/support/networks.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { localServer, mediaAt } from './local-servers.ts';
import {
  callsOf,
  connect,
  connectBusiness,
  failureOf,
  pass,
  received,
  sandbox,
  useSandbox,
} from './setup.ts';

useSandbox();

const message = { to: 'customer-1', text: 'Hi', echoTag: 'tag' };
const reply = { commentId: 'comment-1', text: 'Hi', echoTag: 'tag' };

/** Calls that some networks do not support, by the capability they need. */
const calls = {
  deletePost: (network: Network, by: Credentials) => network.deletePost(by, 'post-1'),
  directMessage: (network: Network, by: Credentials) => network.sendDirectMessage(by, message),
  commentReply: (network: Network, by: Credentials) => network.replyToComment(by, reply),
  privateReply: (network: Network, by: Credentials) => network.privateReply(by, reply),
  tokenRefresh: (network: Network, by: Credentials) => network.refreshToken(by),
  webhookSubscription: (network: Network, by: Credentials) =>
    network.subscribe(by, 'https://example.com/webhooks'),
};
const names = Object.keys(calls) as readonly (keyof typeof calls)[];
const missing = platforms.flatMap((platform) =>
  names
    .filter((name) => !capabilities[platform].supports[name])
    .map((name) => ({ platform, name })),
);

describe('unsupported capabilities', () => {
  test('exist for some networks', () => {
    expect(missing).toContainEqual({ platform: 'TIKTOK', name: 'deletePost' });
    expect(missing).toContainEqual({ platform: 'LINKEDIN', name: 'directMessage' });
  });

  test.each(missing)(
    'of $platform: $name is rejected without calling the network',
    async ({ platform, name }) => {
      const by = { platformUserId: 'account-1', accessToken: 'token' };
      const call = calls[name];

      expect(await failureOf((async () => call(networkOf(platform), by))())).toMatchObject({
        kind: 'badRequest',
        message: `${platform} does not support ${name}`,
      });
      expect(await callsOf(platform)).toEqual([]);
    },
  );
});

/** For each network, a scope that does not allow posts. */
const onlyReads: Readonly<Record<Platform, string>> = {
  FACEBOOK: 'pages_read_engagement',
  INSTAGRAM: 'instagram_business_basic',
  TIKTOK: 'user.info.basic',
  TWITTER: 'users.read',
  LINKEDIN: 'r_organization_social',
  YOUTUBE: 'https://www.googleapis.com/auth/youtube.readonly',
};

const postMetrics = { likes: 5, comments: 4, shares: 3, clicks: 2, reach: 90, impressions: 120 };

type Metrics = {
  /** The id of a post that does not exist. */
  readonly missing: string;
  readonly withoutPost?: readonly (keyof typeof postMetrics)[];
  readonly engagement: number | null;
  readonly reach: number | null;
  readonly clicks: number | null;
};

/** The metrics that each network reports for an account with one post that has `postMetrics`. */
const metricsOf: Readonly<Record<Platform, Metrics>> = {
  FACEBOOK: { missing: '4711_404', engagement: 14, reach: 90, clicks: null },
  INSTAGRAM: {
    missing: '404',
    withoutPost: ['clicks'],
    engagement: 12,
    reach: 90,
    clicks: null,
  },
  TIKTOK: {
    missing: '404',
    withoutPost: ['clicks', 'reach'],
    engagement: 5,
    reach: null,
    clicks: null,
  },
  TWITTER: {
    missing: '404',
    withoutPost: ['reach'],
    engagement: null,
    reach: null,
    clicks: null,
  },
  LINKEDIN: { missing: 'urn:li:share:404', engagement: 12, reach: 90, clicks: 2 },
  YOUTUBE: {
    missing: 'gone',
    withoutPost: ['clicks', 'reach'],
    engagement: 12,
    reach: null,
    clicks: null,
  },
};

/** Publishes text, or the kind of media that the network requires. */
async function publishOn(platform: Platform, by: Credentials) {
  const media: Partial<Record<Platform, string>> = {
    INSTAGRAM: 'https://example.com/1.jpg',
    TIKTOK: 'https://example.com/1.mp4',
    ...(platform === 'YOUTUBE' && {
      YOUTUBE: await mediaAt('video/mp4', Buffer.from('a film')),
    }),
  };
  const url = media[platform];
  const publication = { text: 'Hello', mediaUrls: url ? [url] : [] };
  const network = networkOf(platform);
  const { handle } = await network.prepare(by, publication);

  return network.commit(by, publication, handle);
}

describe.each(platforms)('%s', (platform) => {
  const network = networkOf(platform);

  test('returns the account of a token until the token is revoked or expires', async () => {
    const credentials = await connect(platform, '4711');
    const { accessToken } = await sandbox
      .network(platform)
      .issueTokens({ userId: '4711', expiresIn: -1 });

    expect((await network.validateToken(credentials)).platformUserIds).toContain('4711');
    await sandbox.network(platform).revokeTokens(credentials.accessToken);
    for (const dead of [credentials.accessToken, accessToken, 'made-up']) {
      const by = { ...credentials, accessToken: dead };
      for (const call of [network.validateToken(by), network.listRecentPosts(by)]) {
        expect(await failureOf(call)).toMatchObject({ platform, kind: 'tokenInvalid' });
      }
    }
  });

  test('rejects a post whose token lacks the scope', async () => {
    const credentials = await connect(platform, '4711', [onlyReads[platform]]);

    expect(await failureOf(publishOn(platform, credentials))).toMatchObject({
      kind: 'scopeMissing',
    });
    expect(await sandbox.network(platform).posts('4711')).toEqual([]);
  });

  test('returns the metrics that the network has, and null for the others', async () => {
    const credentials = await connect(platform, '4711');
    const known = sandbox.network(platform);
    await known.setAccount('4711', { name: 'Bakery', followers: 42 });
    await publishOn(platform, credentials);
    const [post] = await known.posts('4711');
    const id = String(post?.id);
    await known.setMetrics(id, postMetrics);
    const { missing: lost, withoutPost = [], ...account } = metricsOf[platform];
    const none = Object.fromEntries(withoutPost.map((name) => [name, null]));

    expect(await network.fetchPostMetrics(credentials, [lost, id])).toEqual([
      undefined,
      { ...postMetrics, ...none },
    ]);
    expect(await network.fetchAccountMetrics(credentials)).toEqual({
      followers: 42,
      posts: 1,
      ...account,
    });
    expect(await network.listPages(credentials)).toMatchObject([
      { platformPageId: '4711', followersCount: 42, isActive: true },
    ]);
    expect(await network.listRecentPosts(credentials)).toMatchObject([
      { platformPostId: id, text: 'Hello', url: post?.url },
    ]);
  });

  test('returns unavailable when the network is down or closes the connection on a read', async () => {
    const credentials = await connect(platform, '4711');
    const service = platform.toLowerCase();

    for (const mode of ['down', 'refuse'] as const) {
      const { id } = await sandbox.addFault({ service, mode });
      expect(await failureOf(network.listRecentPosts(credentials))).toMatchObject({
        kind: 'unavailable',
      });
      await sandbox.endFault(id);
    }
    expect(await network.listRecentPosts(credentials)).toEqual([]);
  });

  test('opens the circuit after five outages, but not after rejected requests', async () => {
    const credentials = await connect(platform, '4711');
    const dead = { ...credentials, accessToken: 'dead' };
    for (let refusal = 1; refusal <= 6; refusal += 1) {
      await failureOf(network.validateToken(dead));
    }
    await network.validateToken(credentials);
    await sandbox.addFault({ service: platform.toLowerCase(), mode: 'down' });
    for (let outage = 1; outage <= 5; outage += 1) {
      await failureOf(network.listRecentPosts(credentials));
    }
    const before = await callsOf(platform);

    expect(await failureOf(network.listRecentPosts(credentials))).toMatchObject({
      kind: 'unavailable',
      isTransient: true,
      cause: { name: 'CircuitOpenError' },
    });
    expect(await callsOf(platform)).toEqual(before);
  });

  test('returns pages and metrics of a new account', async () => {
    const credentials = await connect(platform, '4711');
    const metrics = await network.fetchAccountMetrics(credentials);

    expect(await network.listPages(credentials)).not.toEqual([]);
    expect(Object.keys(metrics).sort()).toEqual([
      'clicks',
      'engagement',
      'followers',
      'posts',
      'reach',
    ]);
    expect(await network.fetchPostMetrics(credentials, [])).toEqual([]);
  });

  test('has a token family only if it supports token refresh', () => {
    expect(network.platform).toBe(platform);
    expect(tokenFamilies[platform] === 'NONE').toBe(!capabilities[platform].supports.tokenRefresh);
  });

  test('rejects a delivery without a signature and ignores a call that is not a handshake', async () => {
    expect(await network.verifySignature(Buffer.from('{}'), {})).toBe(false);
    expect(await network.answerChallenge({})).toBeUndefined();
  });
});

/** The call that publishes, on networks that need only one. */
const publishingCalls = [
  ['FACEBOOK', '/feed$'],
  ['TIKTOK', '/video/init/$'],
  ['TWITTER', '/2/tweets$'],
  ['LINKEDIN', '/rest/posts$'],
] as const;

describe.each(publishingCalls)('a post on %s without a usable response', (platform, path) => {
  test.each([
    ['hang', 0],
    ['hang-after', 1],
  ] as const)('is sent once and returns outcomeUnknown after %s', async (mode, posts) => {
    const credentials = await connect(platform, '4711');
    await sandbox.addFault({ service: platform.toLowerCase(), method: 'POST', path, mode });

    expect(await failureOf(publishOn(platform, credentials))).toMatchObject({
      kind: 'outcomeUnknown',
    });
    expect(await sandbox.network(platform).posts('4711')).toHaveLength(posts);
    const calls = (await callsOf(platform)).filter((call) => new RegExp(path).test(call));
    expect(calls).toHaveLength(1);
  });

  test('returns outcomeUnknown if the response is unreadable', async () => {
    const credentials = await connect(platform, '4711');
    const service = platform.toLowerCase();
    await sandbox.addFault({ service, path, mode: 'error', status: 200, body: 'OK' });

    expect(await failureOf(publishOn(platform, credentials))).toMatchObject({
      kind: 'outcomeUnknown',
    });
  });
});

test.each([
  ['FACEBOOK', 'notFound'],
  ['TWITTER', 'notFound'],
  ['LINKEDIN', undefined],
  ['YOUTUBE', undefined],
] as const)('a second deletion of a post on %s returns %s', async (platform, kind) => {
  const credentials = await connect(platform, '4711');
  await publishOn(platform, credentials);
  const [post] = await sandbox.network(platform).posts('4711');
  const remove = () => networkOf(platform).deletePost(credentials, String(post?.id));
  await remove();
  const again = await remove().catch((failure: { readonly kind: string }) => failure.kind);

  expect(again).toBe(kind);
  expect(await sandbox.network(platform).posts('4711')).toEqual([]);
});

test.each(['TIKTOK', 'TWITTER'] as const)(
  'reusing a refresh token of %s revokes its whole family',
  async (platform) => {
    const network = networkOf(platform);
    const issued = await sandbox.network(platform).issueTokens({ userId: '4711' });
    const pair = await network.refreshToken(issued);

    for (const refresh of [issued, pair]) {
      expect(await failureOf(network.refreshToken(refresh))).toMatchObject({
        kind: 'tokenInvalid',
      });
    }
    const by = { platformUserId: '4711', accessToken: pair.accessToken };
    expect(await failureOf(network.validateToken(by))).toMatchObject({ kind: 'tokenInvalid' });
  },
);

const ada = { id: 'customer-1', name: 'Ada' };

/** A customer writes to the account. Returns the id of the message or comment. */
async function said(platform: Platform, type: 'message' | 'comment'): Promise<string> {
  const words = { userId: '4711', type, text: 'Hi', from: ada, deliveries: 0 };

  return (await sandbox.network(platform).sendEvent(words)).eventId;
}

/** TikTok's messages and comments belong to its Business app. */
function connectInbox(platform: Platform): Promise<Credentials> {
  return platform === 'TIKTOK' ? connectBusiness('4711') : connect(platform, '4711');
}

test.each([
  ['FACEBOOK', 24],
  ['INSTAGRAM', 24],
  ['TIKTOK', 48],
] as const)('a direct message on %s is rejected after %i hours', async (platform, hours) => {
  const to = { to: ada.id, text: 'Hello', echoTag: 't' };
  const send = async () => networkOf(platform).sendDirectMessage(await connectInbox(platform), to);
  await connectInbox(platform);
  await said(platform, 'message');
  const { id } = await send();

  expect(await sandbox.network(platform).replies('4711')).toMatchObject([
    { id, kind: 'message', to: ada.id, text: 'Hello' },
  ]);
  pass(hours * 3_600_000 + 1_000);
  expect(await failureOf(send())).toMatchObject({ kind: 'refused' });
});

test.each(['FACEBOOK', 'INSTAGRAM'] as const)(
  'a comment on %s can be answered publicly, and once privately within seven days',
  async (platform) => {
    const network = networkOf(platform);
    const credentials = await connect(platform, '4711');
    const commentId = await said(platform, 'comment');
    const answer = { commentId, text: 'Hello', echoTag: 't' };
    const reply = await network.replyToComment(credentials, answer);
    const message = await network.privateReply(credentials, answer);

    expect(await sandbox.network(platform).replies('4711')).toMatchObject([
      { id: reply.id, kind: 'comment', inReplyTo: commentId, text: 'Hello' },
      { id: message.id, kind: 'message', inReplyTo: commentId, text: 'Hello' },
    ]);
    expect(await failureOf(network.privateReply(credentials, answer))).toMatchObject({
      kind: 'refused',
      code: '10900',
    });
    const late = { ...answer, commentId: await said(platform, 'comment') };
    pass(7 * 86_400_000 + 1_000);
    expect(await failureOf(network.privateReply(credentials, late))).toMatchObject({
      kind: 'refused',
    });
  },
);

test.each([
  ['FACEBOOK', 'notFound'],
  ['INSTAGRAM', 'notFound'],
  ['TWITTER', 'refused'],
] as const)('a reply to a missing comment on %s is %s', async (platform, kind) => {
  const credentials = await connect(platform, '4711');
  const replying = networkOf(platform).replyToComment(credentials, { commentId: '4', text: 'Hi' });

  expect(await failureOf(replying)).toMatchObject({ kind });
});

test.each(['TIKTOK', 'TWITTER'] as const)(
  'comments on %s since a time are fetched, oldest first',
  async (platform) => {
    const credentials = await connectInbox(platform);
    await publishOn(platform, await connect(platform, '4711'));
    const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
    const first = await said(platform, 'comment');
    pass(2_000);
    const second = await said(platform, 'comment');
    const network = networkOf(platform);
    const comments = await network.fetchComments(credentials, at(-60_000));

    expect(comments.map(({ messageId }) => messageId)).toEqual([first, second]);
    expect(comments[0]).toMatchObject({ text: 'Hi', from: ada });
    expect(await network.fetchComments(credentials, at(60_000))).toEqual([]);
  },
);

// TikTok's comment events have no text. Its own test file covers them.
const pushesText = platforms.filter(
  (platform) => capabilities[platform].supports.commentEvents && platform !== 'TIKTOK',
);

test.each(pushesText)(
  'a comment event from %s is signed and contains the text',
  async (platform) => {
    const network = networkOf(platform);
    const sent = await sandbox.network(platform).sendEvent({
      userId: '4711',
      type: 'comment',
      text: 'How much? 🎂',
      from: { id: '815', name: 'Ada' },
      postId: '99',
      deliveries: 0,
    });
    const { rawBody, headers } = received(sent);

    expect(await network.verifySignature(rawBody, headers)).toBe(true);
    expect(await network.verifySignature(Buffer.from(`${rawBody} `), headers)).toBe(false);
    expect(network.parseEvents(rawBody)).toMatchObject([
      {
        eventId: expect.stringContaining(sent.eventId),
        platformUserId: '4711',
        text: 'How much? 🎂',
        isEcho: false,
      },
    ]);
  },
);

/** The response of each network in its own format, by meaning. */
type Answers = Readonly<
  Record<
    'invalid token' | 'missing scope' | 'permanent rejection' | 'limit' | 'outage',
    {
      readonly status: number;
      readonly body: Record<string, unknown>;
      readonly headers?: Record<string, string>;
    }
  >
>;

const wait = { 'retry-after': '420' };
const graph: Answers = {
  'invalid token': { status: 401, body: { error: { code: 190, message: 'No' } } },
  'missing scope': { status: 403, body: { error: { code: 200, message: 'No' } } },
  'permanent rejection': { status: 400, body: { error: { code: 100, message: 'No' } } },
  limit: {
    status: 400,
    body: { error: { code: 4, message: 'No' } },
    headers: { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":7}]}' },
  },
  outage: { status: 503, body: { error: { code: 2, message: 'No', is_transient: true } } },
};
/**
 * Valid for both TikTok APIs: the public API has text codes, and the Business API has numeric ones.
 */
const tiktok = (status: number, number: number, code: string) => ({
  status,
  body: { code: number, message: 'No', error: { code, message: 'No' } },
});
const google = (status: number, reason: string) => ({
  status,
  body: { error: { code: status, message: 'No', errors: [{ reason }] } },
});
const answers: Readonly<Record<Platform, Answers>> = {
  FACEBOOK: graph,
  INSTAGRAM: graph,
  TIKTOK: {
    'invalid token': tiktok(200, 40_105, 'access_token_invalid'),
    'missing scope': tiktok(200, 40_001, 'scope_not_authorized'),
    'permanent rejection': tiktok(200, 40_002, 'invalid_params'),
    limit: { ...tiktok(200, 40_100, 'rate_limit_exceeded'), headers: wait },
    outage: tiktok(503, 50_000, 'internal_error'),
  },
  TWITTER: {
    'invalid token': { status: 401, body: { title: 'Unauthorized' } },
    'missing scope': { status: 403, body: { title: 'Forbidden', detail: 'Forbidden' } },
    'permanent rejection': { status: 400, body: { title: 'Invalid Request' } },
    limit: {
      status: 429,
      body: { title: 'Too Many Requests' },
      headers: { 'x-rate-limit-reset': String(Math.ceil(Date.now() / 1_000) + 420) },
    },
    outage: { status: 503, body: { title: 'Service Unavailable' } },
  },
  LINKEDIN: {
    'invalid token': { status: 401, body: { message: 'No' } },
    'missing scope': { status: 403, body: { message: 'No' } },
    'permanent rejection': { status: 422, body: { message: 'No' } },
    limit: { status: 429, body: { message: 'No' }, headers: wait },
    outage: { status: 503, body: { message: 'No' } },
  },
  YOUTUBE: {
    'invalid token': google(401, 'authError'),
    'missing scope': google(403, 'insufficientPermissions'),
    'permanent rejection': google(400, 'invalidVideo'),
    limit: google(403, 'quotaExceeded'),
    outage: google(503, 'backendError'),
  },
};
const meanings = [
  ['invalid token', 'tokenInvalid', 401],
  ['missing scope', 'scopeMissing', 403],
  ['permanent rejection', 'refused', 400],
  ['limit', 'rateLimited', 502],
  ['outage', 'unavailable', 502],
] as const;

const comment = { commentId: '815', platformPostId: '4711_99', text: 'Hi' };
/** A read and a write. */
const read = (network: Network, by: Credentials) => network.listRecentPosts(by);
const act = (network: Network, by: Credentials) => network.replyToComment(by, comment);

/** The status code that the API returns for the error. */
function statusOf(failure: unknown): number | undefined {
  return failure instanceof NetworkError
    ? errorKinds[asApiError(failure).kind].statusCode
    : undefined;
}

describe.each(meanings)('a network response that means: %s', (meaning, kind, statusCode) => {
  test.each(platforms)(
    `from %s becomes ${kind} with status ${statusCode} and is not retried`,
    async (platform) => {
      const network = networkOf(platform);
      const credentials = await connect(platform, '4711');
      const { status, body, headers = {} } = answers[platform][meaning];
      const service = platform.toLowerCase();
      await sandbox.addFault({ service, mode: 'error', status, body, headers });

      for (const call of [read, act]) {
        const failure = await failureOf(call(network, credentials));
        expect(failure).toMatchObject({ platform, kind });
        expect(statusOf(failure)).toBe(statusCode);
        expect((failure as { retryAfterMs?: number }).retryAfterMs ?? 0).toBeGreaterThanOrEqual(
          kind === 'rateLimited' ? 60_000 : 0,
        );
      }
      const sent = (await callsOf(platform)).filter((call) => !call.startsWith('GET '));
      expect(new Set(sent).size).toBe(sent.length);
    },
  );
});

/** Sends ten million bytes, twice the maximum that is read. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(1_000_000, ' ');
  for (let count = 0; count < 10; count += 1) {
    response.write(chunk);
  }
  response.end('{}');
}

/** Sends a byte every 50 ms, forever. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

const networkTimeoutMs = Number(process.env.NETWORK_TIMEOUT_MS);

const breakdowns: Readonly<Record<string, Breakdown>> = {
  'closes the connection': (request) => request.socket.destroy(),
  hangs: () => undefined,
  'returns 500': (_request, response) => response.writeHead(500).end(),
  'returns invalid JSON': (_request, response) => response.writeHead(200).end('<html>Busy</html>'),
  'returns too much data': (_request, response) => flood(response),
  'responds too slowly': (_request, response) => drip(response),
};

type Breakdown = (request: IncomingMessage, response: ServerResponse) => void;

/** Calls each network while it is broken. Returns the requests it received and the outcome. */
async function callWhileBroken(breakdown: Breakdown, call: typeof read | typeof act) {
  const got = new Map<Platform, string[]>(platforms.map((platform) => [platform, []]));
  for (const platform of platforms) {
    const url = await localServer((request, response) => {
      got.get(platform)?.push(String(request.method));
      request.resume();
      breakdown(request, response);
    });
    const own = Object.entries(networkAddresses(url)).filter(([name]) => name.startsWith(platform));
    own.forEach(([name, value]) => {
      vi.stubEnv(name, value);
    });
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const credentials = { platformUserId: '4711', accessToken: 'token' };

  return measureWaits(() =>
    Promise.all(
      platforms.map(async (platform) => {
        const failure = await failureOf(call(networkOf(platform), credentials));
        const { kind } = failure as { readonly kind?: string };

        return { platform, kind, status: statusOf(failure), calls: got.get(platform) ?? [] };
      }),
    ),
  );
}

test('a retry of a read gets a shorter timeout', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout');
  await callWhileBroken(() => undefined, read);
  const [first, second] = [
    limits.mock.calls.slice(0, platforms.length).flat(),
    limits.mock.calls.slice(platforms.length).flat(),
  ];
  limits.mockRestore();

  expect(first).toEqual(platforms.map(() => networkTimeoutMs));
  expect(second).not.toEqual([]);
  expect(Math.max(...second)).toBeLessThanOrEqual(0.3 * networkTimeoutMs);
});

describe.each(Object.entries(breakdowns))('a network that %s', (_name, breakdown) => {
  test('returns unavailable for a read after at most two tries, within the time limit', async () => {
    const { result, waitedMs } = await callWhileBroken(breakdown, read);

    for (const { calls, ...outcome } of result) {
      expect(outcome).toMatchObject({ status: 502, kind: 'unavailable' });
      expect([1, 2]).toContain(calls.length);
    }
    expect(waitedMs).toBeLessThanOrEqual(1.3 * networkTimeoutMs);
  });

  test('returns outcomeUnknown for a write and does not retry it', async () => {
    const { result, waitedMs } = await callWhileBroken(breakdown, act);

    for (const { calls, ...outcome } of result) {
      expect(outcome).toMatchObject({ status: 502, kind: 'outcomeUnknown' });
      expect(calls).toEqual(['POST']);
    }
    expect(waitedMs).toBeLessThanOrEqual(networkTimeoutMs);
  });
});
