import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { networkApps, startSetup, type World } from './setup.ts';

const service = 'https://api.example.com';
const verifier = 'a-verifier-of-at-least-43-characters-0123456789';
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

type Fields = Readonly<Record<string, string>>;
type Network = {
  readonly name: string;
  readonly platform: string;
  readonly page: string;
  readonly asks: Fields;
  readonly token: string;
  /**
   * How the code exchange contains the app's id and secret. `null`: in a Basic authorization
   * header.
   */
  readonly app: readonly [id: string, secret: string] | null;
  readonly send: 'query' | 'form' | 'json';
  readonly codeField?: string;
  readonly appName?: string;
  /** The response to an app with wrong credentials. */
  readonly refusal: Readonly<Record<string, unknown>>;
};

const networks: readonly Network[] = [
  {
    name: 'facebook',
    platform: 'facebook',
    page: '/v25.0/dialog/oauth',
    asks: { scope: 'pages_show_list' },
    token: '/v25.0/oauth/access_token',
    app: ['client_id', 'client_secret'],
    send: 'query',
    refusal: { error: { type: 'OAuthException' } },
  },
  {
    name: 'instagram',
    platform: 'instagram',
    page: '/oauth/authorize',
    asks: { scope: 'instagram_business_basic' },
    token: '/oauth/access_token',
    app: ['client_id', 'client_secret'],
    send: 'form',
    refusal: { error_type: 'OAuthException', code: 400 },
  },
  {
    name: 'tiktok',
    platform: 'tiktok',
    page: '/v2/auth/authorize/',
    asks: { scope: 'user.info.basic', ...pkce },
    token: '/v2/oauth/token/',
    app: ['client_key', 'client_secret'],
    send: 'form',
    refusal: { error: 'invalid_client' },
  },
  {
    name: 'tiktok messaging',
    platform: 'tiktok',
    page: '/v2/auth/authorize/',
    asks: { scope: 'comment.list' },
    token: '/open_api/v1.3/tt_user/oauth2/token/',
    app: ['client_id', 'client_secret'],
    send: 'json',
    codeField: 'auth_code',
    appName: 'tiktok-business',
    refusal: { code: 40_101 },
  },
  {
    name: 'twitter',
    platform: 'twitter',
    page: '/i/oauth2/authorize',
    asks: { scope: 'users.read tweet.read', ...pkce },
    token: '/2/oauth2/token',
    app: null,
    send: 'form',
    refusal: { error: 'unauthorized_client' },
  },
  {
    name: 'linkedin',
    platform: 'linkedin',
    page: '/oauth/v2/authorization',
    asks: { scope: 'rw_organization_admin' },
    token: '/oauth/v2/accessToken',
    app: ['client_id', 'client_secret'],
    send: 'form',
    refusal: { error: 'invalid_client' },
  },
  {
    name: 'youtube',
    platform: 'youtube',
    page: '/o/oauth2/v2/auth',
    asks: { scope: 'https://www.googleapis.com/auth/youtube.readonly', ...pkce },
    token: '/token',
    app: ['client_id', 'client_secret'],
    send: 'form',
    refusal: { error: 'invalid_client' },
  },
];

async function startConsentWorld(): Promise<World> {
  const world = await startSetup(networkApps);
  await world.control.setServiceUrl(service);

  return world;
}

function redirectUriOf({ platform }: Network): string {
  return `${service}/social/oauth/${platform}/callback`;
}

function appOf({ platform, appName = platform }: Network) {
  return { id: `sandbox-${appName}-app`, secret: `sandbox-${appName}-secret` };
}

async function codeOf({ url }: World, network: Network): Promise<string> {
  const query = new URLSearchParams({
    [network.platform === 'tiktok' ? 'client_key' : 'client_id']: appOf(network).id,
    redirect_uri: redirectUriOf(network),
    response_type: 'code',
    state: 'state-1',
    sandbox: 'allow',
    ...network.asks,
  });
  const page = `${url}/${network.platform}${network.page}?${query}`;
  const { headers } = await fetch(page, { redirect: 'manual' });

  return String(new URL(String(headers.get('location'))).searchParams.get('code'));
}

async function exchange(
  { url }: World,
  network: Network,
  code: string,
  { id, secret } = appOf(network),
): Promise<unknown> {
  const { app, send, codeField = 'code' } = network;
  const fields: Fields = {
    grant_type: 'authorization_code',
    [codeField]: code,
    redirect_uri: redirectUriOf(network),
    code_verifier: verifier,
    ...(app ? { [app[0]]: id, [app[1]]: secret } : {}),
  };
  const basic = Buffer.from(`${id}:${secret}`).toString('base64');
  const endpoint = `${url}/${network.platform}${network.token}`;
  const form = new URLSearchParams(fields);
  const answer = await (send === 'query'
    ? fetch(`${endpoint}?${form}`)
    : fetch(endpoint, {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          ...(send === 'json' ? { 'content-type': 'application/json' } : {}),
        },
        body: send === 'json' ? JSON.stringify(fields) : form,
      }));

  return answer.json();
}

describe.each(networks)('the exchange of a code at $name', (network) => {
  test('rejects a different app id or secret, and the code stays usable', async () => {
    const world = await startConsentWorld();
    const code = await codeOf(world, network);
    const { id, secret } = appOf(network);

    for (const app of [
      { id: 'another-app', secret },
      { id, secret: 'wrong' },
    ]) {
      expect(await exchange(world, network, code, app)).toMatchObject(network.refusal);
    }
    expect(JSON.stringify(await exchange(world, network, code))).toContain('"access_token"');
  });
});

test("TikTok's apps cannot exchange each other's codes", async () => {
  const world = await startConsentWorld();
  const [publishing, messaging] = networks.filter(({ platform }) => platform === 'tiktok');
  if (!publishing || !messaging) {
    throw new Error('TikTok has two apps');
  }

  expect(await exchange(world, publishing, await codeOf(world, messaging))).toMatchObject({
    error: 'invalid_grant',
  });
  expect(await exchange(world, messaging, await codeOf(world, publishing))).toMatchObject({
    code: 40_105,
  });
});

test('Facebook extends only tokens of people', async () => {
  const { url, control } = await startConsentWorld();
  const { accessToken } = await control.network('FACEBOOK').issueTokens({ userId: 'page-1' });
  const query = new URLSearchParams({
    grant_type: 'fb_exchange_token',
    client_id: 'sandbox-facebook-app',
    client_secret: 'sandbox-facebook-secret',
    fb_exchange_token: accessToken,
  });
  const answer = await fetch(`${url}/facebook/v25.0/oauth/access_token?${query}`);

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: 190 } });
});

test.each([
  { why: 'another grant type', wrong: { grant_type: 'ig_refresh_token' }, code: 100 },
  { why: 'another secret', wrong: { client_secret: 'wrong' }, code: 1 },
  { why: 'a long-lived token', wrong: {}, code: 452 },
])('Instagram rejects a token exchange with $why', async ({ wrong, code }) => {
  const { url, control } = await startConsentWorld();
  const { accessToken } = await control.network('INSTAGRAM').issueTokens({ userId: 'ig-1' });
  const query = new URLSearchParams({
    grant_type: 'ig_exchange_token',
    client_secret: 'sandbox-instagram-secret',
    access_token: accessToken,
    ...wrong,
  });
  const answer = await fetch(`${url}/instagram/access_token?${query}`);

  expect(await answer.json()).toMatchObject({ error: { code } });
});

test("TikTok's Business API returns the requested fields of the account's own profile", async () => {
  const { url, control } = await startConsentWorld();
  const tiktok = control.network('TIKTOK');
  const own = await tiktok.issueBusinessToken({ userId: 'ada', userName: 'Ada' });
  await tiktok.setAccount('ada', { name: 'Ada' });
  const bare = await tiktok.issueBusinessToken({ userId: 'ada', scopes: ['comment.list'] });
  const read = async (token: string, businessId: string, fields: string) => {
    const query = new URLSearchParams({ business_id: businessId, fields });
    const answer = await fetch(`${url}/tiktok/open_api/v1.3/business/get/?${query}`, {
      headers: { 'access-token': token },
    });

    return answer.json();
  };
  const fields = '["display_name"]';

  expect(await read(own.accessToken, own.openId, fields)).toMatchObject({
    code: 0,
    data: { display_name: 'Ada' },
  });
  expect(await read(own.accessToken, own.openId, 'display_name')).toMatchObject({ code: 40_002 });
  expect(await read(own.accessToken, 'another', fields)).toMatchObject({ code: 40_001 });
  expect(await read(bare.accessToken, bare.openId, fields)).toMatchObject({ code: 40_001 });
});

test('Facebook requires appsecret_proof to list the pages of a person', async () => {
  const { url, control } = await startConsentWorld();
  const { accessToken } = await control
    .network('FACEBOOK')
    .issueTokens({ userId: 'ada', pages: [{ id: '1', name: 'Bakery' }] });
  const proof = createHmac('sha256', 'sandbox-facebook-secret').update(accessToken).digest('hex');
  const list = (query: string) =>
    fetch(`${url}/facebook/v25.0/me/accounts?${query}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });

  expect((await list('')).status).toBe(400);
  expect((await list(`appsecret_proof=${proof}`)).status).toBe(200);
});
