// Runs in a separate process: it sets the address to which the sandbox sends events
import { createHash, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { ConsentChoice, OAuthApi } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { networkOf } from '#tests/support/networks.ts';
import { localServer, mediaAt } from './local-servers.ts';
import { callsOf, failureOf, pass, received, sandbox, useSandbox } from './setup.ts';

useSandbox();

const serviceUrl = 'https://api.example.com';
const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
const minuteMs = 60_000;
const dayMs = 86_400_000;

beforeAll(() => sandbox.setServiceUrl(serviceUrl));

/** Each kind of consent: six networks, and TikTok's second app. */
const flows = [
  ...platforms.map((platform) => ({ name: platform as string, platform, isMessaging: false })),
  { name: 'TIKTOK messaging', platform: 'TIKTOK' as const, isMessaging: true },
];
type Flow = (typeof flows)[number];

const kinds = {
  FACEBOOK: 'PAGE',
  INSTAGRAM: 'PROFILE',
  TIKTOK: 'PROFILE',
  TWITTER: 'PROFILE',
  LINKEDIN: 'ORGANIZATION',
  YOUTUBE: 'CHANNEL',
} as const;
/** Networks where people manage accounts besides their own profile. */
const managed: readonly Platform[] = ['FACEBOOK', 'LINKEDIN', 'YOUTUBE'];

function apiOf({ platform, isMessaging }: Pick<Flow, 'platform' | 'isMessaging'>): OAuthApi {
  const { oauth, businessOAuth } = networkOf(platform);

  return isMessaging && businessOAuth ? businessOAuth : oauth;
}

function redirectUriOf({ platform }: Pick<Flow, 'platform'>): string {
  return `${serviceUrl}/social/oauth/${platform.toLowerCase()}/callback`;
}

async function pageOf(flow: Flow): Promise<URL> {
  const request = { redirectUri: redirectUriOf(flow), state: 'state-1', codeChallenge };

  return new URL(await apiOf(flow).authorizationUrl(request));
}

function visit(page: URL, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const url = new URL(page);
  for (const [name, value] of Object.entries(more)) {
    url.searchParams.set(name, value);
  }

  return fetch(url, { redirect: 'manual' });
}

/** Allows the request, and returns the parameters of the redirect. */
async function allow(flow: Flow, person?: string): Promise<URLSearchParams> {
  const answer = await visit(await pageOf(flow), {
    sandbox: 'allow',
    ...(person === undefined ? {} : { sandbox_person: person }),
  });
  expect(answer.status).toBe(302);
  const location = new URL(String(answer.headers.get('location')));
  expect(`${location.origin}${location.pathname}`).toBe(redirectUriOf(flow));
  expect(location.searchParams.get('state')).toBe('state-1');

  return location.searchParams;
}

async function codeOf(flow: Flow, person?: string): Promise<string> {
  return String((await allow(flow, person)).get('code'));
}

function exchange(
  flow: Flow,
  code: string,
  more: { redirectUri?: string; verifier?: string } = {},
) {
  const { redirectUri = redirectUriOf(flow), verifier = codeVerifier } = more;

  return apiOf(flow).exchangeCode({ code, redirectUri, codeVerifier: verifier });
}

async function choicesOf(flow: Flow, person?: string): Promise<readonly ConsentChoice[]> {
  const tokens = await exchange(flow, await codeOf(flow, person));

  return apiOf(flow).listChoices(tokens);
}

/** The response of the token endpoint if the app's id or secret is wrong. */
function wrongAppError({ platform, isMessaging }: Flow) {
  if (isMessaging) {
    return { code: 40_101, message: 'The app id or the secret is incorrect.' };
  }
  const byPlatform = {
    FACEBOOK: { error: { code: 101, message: 'Error validating application.' } },
    INSTAGRAM: { error_type: 'OAuthException', code: 400, error_message: 'Invalid platform app' },
    TIKTOK: { error: 'invalid_client' },
    TWITTER: { error: 'unauthorized_client' },
    LINKEDIN: { error: 'invalid_client' },
    YOUTUBE: { error: 'invalid_client' },
  };

  return byPlatform[platform];
}

/** Registers a person with three accounts, or with only their own account. */
async function addAda(
  platform: Platform,
  more: { scopes?: string[]; refreshToken?: boolean } = {},
): Promise<readonly string[]> {
  const avatarUrl = 'https://images.example.com/1.png';
  const account = (id: string) => ({ id, name: `Account ${id}`, avatarUrl });
  const ids = managed.includes(platform) ? ['101', '102', '103'] : ['ada'];
  await sandbox
    .network(platform)
    .addPerson({ id: 'ada', name: 'Ada', accounts: ids.map(account), ...more });

  return ids;
}

describe.each(flows)('consent at $name', (flow) => {
  const { platform, isMessaging } = flow;
  const api = apiOf(flow);

  test('returns every account of the person with separate tokens', async () => {
    const ids = await addAda(platform);
    const choices = await choicesOf(flow, 'ada');

    expect(choices.map(({ name }) => name)).toEqual(ids.map((id) => `Account ${id}`));
    if (!isMessaging) {
      expect(choices.map(({ platformUserId }) => platformUserId)).toEqual(ids);
    }
    for (const { kind, avatarUrl, tokens } of choices) {
      expect(kind).toBe(kinds[platform]);
      expect(avatarUrl).toBe(platform === 'LINKEDIN' ? null : 'https://images.example.com/1.png');
      expect(tokens.scopes).not.toEqual([]);
      expect(tokens.scopes).not.toBeUndefined();
    }
  });

  test('a person whom nobody registered has one account, whose token is valid', async () => {
    const [choice, ...others] = await choicesOf(flow);
    expect(others).toEqual([]);
    const { platformUserId = '', tokens } = choice ?? {};
    const validate = isMessaging
      ? networkOf(platform).businessTokens?.validateToken
      : networkOf(platform).validateToken;
    const facts = await validate?.({ platformUserId, accessToken: tokens?.accessToken ?? '' });

    expect(facts?.platformUserIds).toContain(platformUserId);
  });

  test('a denial redirects with an error and the state, without a code', async () => {
    const answer = await visit(await pageOf(flow), { sandbox: 'deny' });
    const { searchParams } = new URL(String(answer.headers.get('location')));

    expect(answer.status).toBe(302);
    expect(searchParams.get('error')).toBe(
      platform === 'LINKEDIN' ? 'user_cancelled_authorize' : 'access_denied',
    );
    expect(searchParams.get('state')).toBe('state-1');
    expect(searchParams.has('code')).toBe(false);
  });

  test('a code works once', async () => {
    const code = await codeOf(flow);
    expect(code).toMatch(/^[\w-]+$/);
    await exchange(flow, code);

    expect(await failureOf(exchange(flow, code))).toMatchObject({ platform, kind: 'tokenInvalid' });
  });

  test('a code ends after ten minutes, and an invented one never works', async () => {
    const code = await codeOf(flow);
    pass(10 * minuteMs + 1_000);

    for (const bad of [code, 'made-up']) {
      expect(await failureOf(exchange(flow, bad))).toMatchObject({ kind: 'tokenInvalid' });
    }
  });

  test('a code is bound to the redirect URI', async () => {
    const code = await codeOf(flow);
    const redirectUri = `${redirectUriOf(flow)}/`;

    expect(await failureOf(exchange(flow, code, { redirectUri }))).toMatchObject({
      kind: 'tokenInvalid',
    });
    expect(await exchange(flow, code)).toHaveProperty('accessToken');
  });

  test('a code is bound to the verifier if the network has PKCE', async () => {
    const code = await codeOf(flow);
    const attempt = exchange(flow, code, { verifier: `${codeVerifier}x` });

    expect(api.needsPkce).toBe(['TIKTOK', 'TWITTER', 'YOUTUBE'].includes(platform) && !isMessaging);
    await (api.needsPkce
      ? expect(attempt).rejects.toMatchObject({ kind: 'tokenInvalid' })
      : expect(attempt).resolves.toHaveProperty('accessToken'));
  });

  test('wrong app credentials are not reported as an invalid code', async () => {
    const code = await codeOf(flow);
    await sandbox.addFault({
      service: platform.toLowerCase(),
      method: platform === 'FACEBOOK' ? 'GET' : 'POST',
      mode: 'error',
      status: isMessaging ? 200 : 400,
      body: wrongAppError(flow),
      times: 2,
    });

    expect(await failureOf(exchange(flow, code))).toMatchObject({ kind: 'unavailable' });
  });

  test('the page rejects an unknown app, another redirect URI, and a missing state', async () => {
    const page = await pageOf(flow);
    const clientParameter = platform === 'TIKTOK' ? 'client_key' : 'client_id';
    const wrong: ReadonlyArray<Readonly<Record<string, string>>> = [
      { [clientParameter]: 'another-app' },
      { redirect_uri: 'https://evil.example.com/callback' },
      { redirect_uri: `${redirectUriOf(flow)}/` },
      { state: '' },
      { scope: '' },
      { scope: 'made_up' },
      { response_type: 'token' },
    ];
    for (const parameters of wrong) {
      const answer = await visit(page, { sandbox: 'allow', ...parameters });

      expect({ parameters, status: answer.status }).toEqual({ parameters, status: 400 });
      expect(answer.headers.get('location')).toBeNull();
    }
  });

  test('the page rejects a challenge that is missing or not S256 if the network has PKCE', async () => {
    const page = await pageOf(flow);
    for (const parameters of [
      { code_challenge: '' },
      { code_challenge: codeVerifier.slice(1) },
      { code_challenge_method: 'plain' },
      { code_challenge_method: '' },
    ]) {
      const { status } = await visit(page, { sandbox: 'allow', ...parameters });

      expect({ parameters, status }).toEqual({ parameters, status: api.needsPkce ? 400 : 302 });
    }
  });

  test('the page offers Allow, Deny and the registered people', async () => {
    await addAda(platform);
    const answer = await visit(await pageOf(flow));
    const page = await answer.text();

    expect(answer.status).toBe(200);
    expect(page).toContain('value="allow">Allow</button>');
    expect(page).toContain('value="deny">Deny</button>');
    expect(page).toContain('<option value="ada">Ada</option>');
    expect(answer.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${serviceUrl};`,
    );
  });

  test('a network that is down or does not respond is unavailable, and the code is not reported as invalid', async () => {
    const code = await codeOf(flow);
    await sandbox.addFault({ service: platform.toLowerCase(), mode: 'down' });

    expect(await failureOf(exchange(flow, code))).toMatchObject({ kind: 'unavailable' });
  });

  test('unexpected responses are failures of the network', async () => {
    const response = { body: '' };
    const origin = await localServer((_request, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(response.body);
    });
    for (const name of Object.keys(process.env).filter((key) => /_(API|OAUTH)_BASE$/.test(key))) {
      vi.stubEnv(name, origin);
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant([]));
    const shape = fc.dictionary(
      fc.constantFrom('access_token', 'data', 'error', 'code', 'expires_in', 'items', 'elements'),
      fc.oneof(value, fc.array(value), fc.dictionary(fc.constantFrom('access_token', 'id'), value)),
    );

    await fc.assert(
      fc.asyncProperty(fc.oneof(shape, value), async (body) => {
        response.body = JSON.stringify(body);
        const outcomes = await Promise.allSettled([
          exchange(flow, 'code'),
          api.listChoices({ accessToken: 'token' }),
        ]);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') {
            expect(outcome.reason).toBeInstanceOf(NetworkError);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

test('Facebook pages that the person’s role gives no token for are not offered', async () => {
  const pages = [
    { id: '101', name: 'Managed', access_token: 'page-token' },
    { id: '102', name: 'Seen' },
  ];
  const tokens = { accessToken: 'user-token', scopes: ['pages_show_list'] };
  await sandbox.addFault({
    service: 'facebook',
    path: '/me/accounts',
    mode: 'error',
    status: 200,
    body: { data: pages },
    times: 1,
  });

  expect(await networkOf('FACEBOOK').oauth.listChoices(tokens)).toMatchObject([
    { platformUserId: '101', tokens: { accessToken: 'page-token' } },
  ]);
});

describe('granted scopes', () => {
  const partial = [
    { platform: 'FACEBOOK', scopes: ['pages_show_list', 'pages_read_engagement'] },
    { platform: 'INSTAGRAM', scopes: ['instagram_business_basic'] },
    { platform: 'TIKTOK', scopes: ['user.info.basic'] },
    { platform: 'TWITTER', scopes: ['tweet.read', 'users.read'] },
    { platform: 'LINKEDIN', scopes: ['r_organization_social', 'rw_organization_admin'] },
    { platform: 'YOUTUBE', scopes: ['https://www.googleapis.com/auth/youtube.readonly'] },
  ] as const;

  test.each(partial)(
    '$platform reports fewer scopes than requested',
    async ({ platform, scopes }) => {
      await addAda(platform, { scopes: [...scopes] });
      const [choice] = await choicesOf({ name: platform, platform, isMessaging: false }, 'ada');

      expect(choice?.tokens.scopes?.toSorted()).toEqual([...scopes].toSorted());
    },
  );

  test.each(
    platforms.map((platform) => ({
      platform,
      flow: { name: platform, platform, isMessaging: false },
    })),
  )(
    '$platform reports scopeMissing if its accounts cannot be listed',
    async ({ platform, flow }) => {
      await addAda(platform, { scopes: [] });
      const tokens = await exchange(flow, await codeOf(flow, 'ada'));

      expect(await failureOf(networkOf(platform).oauth.listChoices(tokens))).toMatchObject({
        kind: 'scopeMissing',
      });
    },
  );

  test('a person cannot grant what the app did not request', async () => {
    await addAda('TWITTER', { scopes: ['users.read', 'tweet.read', 'bookmark.write'] });
    const [choice] = await choicesOf(flowOf('TWITTER'), 'ada');

    expect(choice?.tokens.scopes).toEqual(['tweet.read', 'users.read']);
  });
});

function flowOf(platform: Platform): Flow {
  return { name: platform, platform, isMessaging: false };
}

describe('refresh tokens', () => {
  const refreshing = platforms.filter((platform) => !['FACEBOOK', 'INSTAGRAM'].includes(platform));

  test.each(refreshing)(
    '%s returns one that works, unless the person has none',
    async (platform) => {
      await addAda(platform);
      const tokens = await exchange(flowOf(platform), await codeOf(flowOf(platform), 'ada'));
      const renewed = await networkOf(platform).refreshToken(tokens);
      await addAda(platform, { refreshToken: false });
      const without = await exchange(flowOf(platform), await codeOf(flowOf(platform), 'ada'));

      expect(tokens.refreshToken).not.toBeUndefined();
      expect(renewed.accessToken).not.toBe(tokens.accessToken);
      expect(without.accessToken).not.toBe('');
      expect(without).not.toHaveProperty('refreshToken');
    },
  );

  test('Google returns none without access_type=offline and prompt=consent', async () => {
    const page = await pageOf(flowOf('YOUTUBE'));
    expect(page.searchParams.get('access_type')).toBe('offline');
    expect(page.searchParams.get('prompt')).toBe('consent');
    const answer = await visit(page, { sandbox: 'allow', prompt: '' });
    const code = new URL(String(answer.headers.get('location'))).searchParams.get('code');

    expect(await exchange(flowOf('YOUTUBE'), String(code))).not.toHaveProperty('refreshToken');
  });
});

describe('Meta lifetimes', () => {
  test('Facebook exchanges the short-lived token, so pages keep their tokens', async () => {
    await addAda('FACEBOOK');
    const tokens = await exchange(flowOf('FACEBOOK'), await codeOf(flowOf('FACEBOOK'), 'ada'));
    const [choice] = await networkOf('FACEBOOK').oauth.listChoices(tokens);
    expect(tokens.expiresInSeconds).toBe(60 * 86_400);
    expect(choice?.tokens).not.toHaveProperty('expiresInSeconds');
    pass(90 * dayMs);
    const page = { platformUserId: '101', accessToken: choice?.tokens.accessToken ?? '' };

    expect(await networkOf('FACEBOOK').validateToken(page)).toMatchObject({
      platformUserIds: ['101'],
    });
    expect(await callsOf('FACEBOOK')).toContain('GET /v25.0/me/accounts');
  });

  test('a page token of a short-lived Facebook token ends with it', async () => {
    const code = await codeOf(flowOf('FACEBOOK'));
    const base = `${process.env.FACEBOOK_API_BASE}/v25.0/oauth/access_token`;
    const answer = await fetch(
      `${base}?${new URLSearchParams({
        client_id: 'sandbox-facebook-app',
        client_secret: 'sandbox-facebook-secret',
        redirect_uri: redirectUriOf(flowOf('FACEBOOK')),
        code,
      })}`,
    );
    const short = (await answer.json()) as { access_token: string; expires_in: number };
    const tokens = { accessToken: short.access_token };
    const [choice] = await networkOf('FACEBOOK').oauth.listChoices(tokens);
    const page = {
      platformUserId: choice?.platformUserId ?? '',
      accessToken: choice?.tokens.accessToken ?? '',
    };
    expect(short.expires_in).toBe(3_600);
    expect(await networkOf('FACEBOOK').validateToken(page)).toHaveProperty('expiresAt');
    pass(61 * minuteMs);

    expect(await failureOf(networkOf('FACEBOOK').validateToken(page))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });

  test('Instagram returns a token of 60 days, which can be extended after a day', async () => {
    const tokens = await exchange(flowOf('INSTAGRAM'), await codeOf(flowOf('INSTAGRAM')));
    expect(tokens.expiresInSeconds).toBe(60 * 86_400);
    expect(await failureOf(networkOf('INSTAGRAM').refreshToken(tokens))).toMatchObject({
      kind: 'refused',
    });
    pass(dayMs + minuteMs);

    expect(await networkOf('INSTAGRAM').refreshToken(tokens)).toMatchObject({
      expiresInSeconds: 60 * 86_400,
    });
  });

  test('a short-lived Instagram token ends after an hour and cannot be extended', async () => {
    const base = process.env.INSTAGRAM_OAUTH_BASE;
    const answer = await fetch(`${base}/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'sandbox-instagram-app',
        client_secret: 'sandbox-instagram-secret',
        grant_type: 'authorization_code',
        redirect_uri: redirectUriOf(flowOf('INSTAGRAM')),
        code: await codeOf(flowOf('INSTAGRAM')),
      }),
    });
    const { access_token: accessToken } = (await answer.json()) as { access_token: string };
    const [choice] = await networkOf('INSTAGRAM').oauth.listChoices({ accessToken });
    const short = { platformUserId: choice?.platformUserId ?? '', accessToken };
    expect(await failureOf(networkOf('INSTAGRAM').refreshToken(short))).toMatchObject({
      kind: 'tokenInvalid',
    });
    pass(61 * minuteMs);

    expect(await failureOf(networkOf('INSTAGRAM').validateToken(short))).toMatchObject({
      kind: 'tokenInvalid',
    });
  });

  test('both forms of the response to an Instagram code are read', async () => {
    const short = { access_token: 'short', user_id: 1, permissions: 'a,b' };
    const bodies = [short, { data: [short] }];
    for (const first of bodies) {
      const origin = await localServer((request, answer) => {
        const isCode = request.method === 'POST';
        answer.end(JSON.stringify(isCode ? first : { access_token: 'long', expires_in: 60 }));
      });
      vi.stubEnv('INSTAGRAM_OAUTH_BASE', origin);
      vi.stubEnv('INSTAGRAM_API_BASE', origin);
      const tokens = await exchange(flowOf('INSTAGRAM'), 'code').finally(vi.unstubAllEnvs);

      expect(tokens).toEqual({ accessToken: 'long', expiresInSeconds: 60, scopes: ['a', 'b'] });
    }
  });
});

describe('the tokens from a consent', () => {
  test.each(platforms)('%s accepts them for publishing and reports', async (platform) => {
    const network = networkOf(platform);
    const [choice] = await choicesOf(flowOf(platform));
    const { platformUserId = '', tokens } = choice ?? {};
    const credentials = { platformUserId, accessToken: tokens?.accessToken ?? '' };
    const { media, supports } = capabilities[platform];
    const [type, bytes] = media.includes('image')
      ? ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])]
      : ['video/mp4', Buffer.from('\0\0\0\x18ftypmp42')];
    const mediaUrls = [await mediaAt(type, bytes)];
    const publication = { text: 'Hello', mediaUrls };
    let progress = await network.prepare(credentials, publication);
    for (let tries = 0; progress.state === 'pending' && tries < 10; tries += 1) {
      pass(progress.retryAfterMs);
      progress = await network.prepare(credentials, publication, progress.handle);
    }
    await network.commit(credentials, publication, progress.handle);
    const posts = await sandbox.network(platform).posts(platformUserId);
    const postId = posts[0]?.id ?? '';

    expect(posts).toHaveLength(1);
    await sandbox.network(platform).setMetrics(postId, { likes: 3, shares: 2 });
    expect(await network.fetchPostMetrics(credentials, [postId])).toMatchObject([
      { likes: 3, shares: 2 },
    ]);
    expect(await network.fetchDemographics?.(credentials, postId)).not.toBeNull();
    expect(await network.fetchAccountMetrics(credentials)).toHaveProperty('followers');
    expect(await network.listRecentPosts(credentials)).toBeInstanceOf(Array);
    expect(await network.listPages(credentials)).not.toEqual([]);
    const from = { id: 'customer-1', name: 'Charles' };
    const event = { userId: platformUserId, from, postId, text: 'Nice', deliveries: 0 };
    if (supports.commentReply && platform !== 'TIKTOK') {
      const comment = await sandbox.network(platform).sendEvent({ ...event, type: 'comment' });
      const [told] = comment.delivery ? network.parseEvents(received(comment).rawBody) : [];
      await network.replyToComment(credentials, {
        commentId: told?.messageId ?? comment.eventId,
        platformPostId: told?.platformPostId ?? postId,
        text: 'Thanks',
      });
      expect(await sandbox.network(platform).replies(platformUserId)).toHaveLength(1);
    }
    if (supports.directMessage && platform !== 'TIKTOK') {
      await sandbox.network(platform).sendEvent({ ...event, type: 'message' });
      await network.sendDirectMessage(credentials, { to: from.id, text: 'Hi', echoTag: 'tag' });
      expect(await sandbox.network(platform).replies(platformUserId)).toHaveLength(2);
    }
  });

  test('Facebook and Instagram accept them for subscriptions', async () => {
    for (const platform of ['FACEBOOK', 'INSTAGRAM'] as const) {
      const [choice] = await choicesOf(flowOf(platform));
      const { platformUserId = '', tokens } = choice ?? {};
      const credentials = { platformUserId, accessToken: tokens?.accessToken ?? '' };
      await networkOf(platform).subscribe(credentials, `${serviceUrl}/webhooks`);

      expect(await sandbox.network(platform).subscriptions(platformUserId)).toHaveLength(1);
    }
  });

  test('TikTok accepts a messaging token for comments', async () => {
    const [choice] = await choicesOf({ name: 'm', platform: 'TIKTOK', isMessaging: true });
    const { platformUserId = '', tokens } = choice ?? {};
    const credentials = { platformUserId, accessToken: tokens?.accessToken ?? '' };
    const api = networkOf('TIKTOK');

    expect(await api.fetchComments(credentials, new Date().toISOString())).toEqual([]);
    expect(await api.businessTokens?.refreshToken(tokens ?? { accessToken: '' })).toHaveProperty(
      'refreshToken',
    );
  });
});

describe('registering people', () => {
  test('a person who is registered again has the new accounts, and old tokens stay valid', async () => {
    await addAda('LINKEDIN');
    const [choice] = await choicesOf(flowOf('LINKEDIN'), 'ada');
    await sandbox.network('LINKEDIN').addPerson({ id: 'ada', name: 'Ada', accounts: [] });

    expect(await choicesOf(flowOf('LINKEDIN'), 'ada')).toEqual([]);
    const old = { platformUserId: '101', accessToken: choice?.tokens.accessToken ?? '' };
    expect(await networkOf('LINKEDIN').validateToken(old)).toMatchObject({
      platformUserIds: ['101', '102', '103'],
    });
  });

  test.each(managed)('%s has people without any account', async (platform) => {
    await sandbox.network(platform).addPerson({ id: 'bob', name: 'Bob', accounts: [] });

    expect(await choicesOf(flowOf(platform), 'bob')).toEqual([]);
  });

  test('on networks without pages, a person has exactly one account', async () => {
    const accounts = [
      { id: '1', name: 'One' },
      { id: '2', name: 'Two' },
    ];
    const person = { id: 'eve', name: 'Eve' };
    const x = sandbox.network('TWITTER');

    await expect(x.addPerson({ ...person, accounts })).rejects.toThrow('400');
    await x.addPerson(person);
    expect(await choicesOf(flowOf('TWITTER'), 'eve')).toMatchObject([
      { platformUserId: 'eve', name: 'Eve' },
    ]);
  });
});

test('authorization URLs encode spaces as %20 and name the page of each network', async () => {
  const pages = await Promise.all(flows.map(pageOf));

  expect(pages.map(({ pathname }) => pathname)).toEqual([
    '/facebook/v25.0/dialog/oauth',
    '/instagram/oauth/authorize',
    '/tiktok/v2/auth/authorize/',
    '/twitter/i/oauth2/authorize',
    '/linkedin/oauth/v2/authorization',
    '/youtube/o/oauth2/v2/auth',
    '/tiktok/v2/auth/authorize/',
  ]);
  for (const { search } of pages) {
    expect(search).not.toContain('+');
  }
});

test('the token endpoints receive the code, the redirect URI and the app', async () => {
  for (const flow of flows) {
    const code = await codeOf(flow);
    await exchange(flow, code);
    const service = flow.platform.toLowerCase();
    const [call] = await sandbox.requests({ service, contains: code });

    expect(`${JSON.stringify(call?.query)}${call?.body}`).toContain(code);
    expect(call?.unexpected).toBe(false);
  }
});
