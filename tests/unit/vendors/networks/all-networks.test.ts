// In a process of its own: it loads the adapters with other endpoints
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Credentials, Network } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';
import { platforms } from '#schemas/platforms.ts';
import { networkAddresses } from '#scripts/dev/stack/local-environment.ts';
import { callsOf, connect, failureOf, received, sandbox } from './adapter-world.ts';
import { localServer } from './local-servers.ts';

const { capabilities } = await import('#lib/vendors/networks/capabilities.ts');
const { networkOf } = await import('#lib/vendors/networks/networks.ts');
const { asApiError, NetworkError } = await import('#lib/vendors/networks/network-error.ts');
const { errorKinds } = await import('#schemas/errors.ts');

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
  test('some networks lack capabilities', () => {
    expect(missing).toContainEqual({ platform: 'TIKTOK', name: 'deletePost' });
    expect(missing).toContainEqual({ platform: 'LINKEDIN', name: 'directMessage' });
  });

  test.each(missing)(
    '$platform rejects $name without calling the network',
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

describe.each(platforms)('%s', (platform) => {
  const network = networkOf(platform);

  test('returns the account of a token until the token is revoked', async () => {
    const credentials = await connect(platform, '4711');

    expect((await network.validateToken(credentials)).platformUserIds).toContain('4711');
    await sandbox.network(platform).revokeTokens(credentials.accessToken);
    expect(await failureOf(network.validateToken(credentials))).toMatchObject({
      platform,
      kind: 'tokenInvalid',
    });
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
    const figures = await network.fetchAccountMetrics(credentials);

    expect(await network.listPages(credentials)).not.toEqual([]);
    expect(Object.keys(figures).sort()).toEqual([
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
    expect(network.tokenFamily === 'NONE').toBe(!capabilities[platform].supports.tokenRefresh);
  });

  test('rejects a delivery without a signature and ignores a call that is not a handshake', async () => {
    expect(await network.verifySignature(Buffer.from('{}'), {})).toBe(false);
    expect(await network.answerChallenge({})).toBeUndefined();
  });
});

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
/** Fits both TikTok APIs: the public API has text codes, the Business API has numeric ones. */
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

/** Sends ten million bytes, twice the five million that are read at most. */
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

/** Tolerance for a busy machine, far below what remains of the ten seconds. */
const slackMs = 1_500;
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
  const began = performance.now();

  return Promise.all(
    platforms.map(async (platform) => {
      const failure = await failureOf(call(networkOf(platform), credentials));
      const { kind } = failure as { readonly kind?: string };

      return {
        platform,
        kind,
        status: statusOf(failure),
        calls: got.get(platform) ?? [],
        tookMs: performance.now() - began,
      };
    }),
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
    for (const { calls, tookMs, ...outcome } of await callWhileBroken(breakdown, read)) {
      expect(outcome).toMatchObject({ status: 502, kind: 'unavailable' });
      expect([1, 2]).toContain(calls.length);
      expect(tookMs).toBeLessThan(1.3 * networkTimeoutMs + slackMs);
    }
  });

  test('returns outcomeUnknown for a write and does not retry it', async () => {
    for (const { calls, tookMs, ...outcome } of await callWhileBroken(breakdown, act)) {
      expect(outcome).toMatchObject({ status: 502, kind: 'outcomeUnknown' });
      expect(calls).toEqual(['POST']);
      expect(tookMs).toBeLessThan(networkTimeoutMs + slackMs);
    }
  });
});
