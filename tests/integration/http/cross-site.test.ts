import { describe, expect, it } from 'vitest';
import { getMe, updateMe } from '#schemas/auth.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const ours = 'http://localhost:3000';

/** Origins that look like `http://localhost:3000` but differ. */
const lookAlikes = [
  'https://localhost:3000',
  'http://localhost',
  'http://localhost:30000',
  'http://localhost:300',
  'http://localhost:3000.evil.example',
  'http://localhost.evil.example:3000',
  'http://evil-localhost:3000',
  'http://evil.localhost:3000',
  'http://localhost:3000@evil.example',
  'http://localhost:3000#',
  'http://localhost:3000/',
  'http://localhost:3000,http://evil.example',
  'http://evil.example,http://localhost:3000',
  'http://localhost:3000 http://evil.example',
  'http://LOCALHOST:3000',
  'http://localhost.:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'http://localhoſt:3000',
  'file://',
  '*',
  'null',
  '',
];

describe('a write authenticated only by the cookie', () => {
  const refused: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ['without Origin and Referer', {}],
    ['with the Origin null', { origin: 'null' }],
    ['from another site', { origin: 'https://evil.example' }],
    ['from another site by its Referer', { referer: 'https://evil.example/localhost:3000' }],
    ['with a Referer that is not a URL', { referer: 'localhost:3000' }],
    [
      'from another site with one of our origins as the Referer',
      { origin: 'https://evil.example', referer: ours },
    ],
    ['that claims to be same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['with our address as the host', { host: 'localhost:3000' }],
    ...lookAlikes.map((origin) => [`from "${origin}"`, { origin }] as const),
  ];

  it.each(refused)('is rejected %s, and changes nothing', async (_, headers) => {
    const { token } = await newAccount();
    const cookies = [`__Host-auth_token=${token}`];
    const answer = await call(updateMe, { cookies, headers, body: { firstName: 'Mallory' } });

    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Cross-site request refused');
    expect((await call(getMe, { token })).body.user.firstName).toBe('Ada');
  });

  it.each<[string, Record<string, string>]>([
    ['with an allowed Origin', { origin: ours }],
    [
      'with an allowed Origin that is cross-site to us',
      { origin: ours, 'sec-fetch-site': 'cross-site' },
    ],
    ['with a Referer of an allowed origin', { referer: `${ours}/settings?tab=profile` }],
  ])('is accepted %s', async (_, headers) => {
    const { token } = await newAccount();
    const cookies = [`__Host-auth_token=${token}`];
    const answer = await call(updateMe, { cookies, headers, body: { firstName: 'Augusta' } });

    expect(answer.status).toBe(200);
  });

  it('is accepted from any origin with a Bearer token, which other sites cannot send', async () => {
    const { token } = await newAccount();
    const headers = { origin: 'https://evil.example' };
    const body = { firstName: 'Augusta' };

    expect((await call(updateMe, { token, headers, body })).status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is rejected from any origin as %s, which a form can send',
    async (type) => {
      const { token } = await newAccount();
      const answer = await call(updateMe, {
        token,
        headers: { 'content-type': type },
        body: { firstName: 'Mallory' },
      });

      expect(answer.status).toBe(415);
    },
  );

  it('does not affect reads', async () => {
    const { token } = await newAccount();
    const cookies = [`__Host-auth_token=${token}`];

    expect((await call(getMe, { cookies })).status).toBe(200);
  });
});

describe('CORS', () => {
  it('lets only the allowed origin read, with credentials', async () => {
    const { headers } = await call(getMe, { headers: { origin: ours } });

    expect(headers).toMatchObject({
      'access-control-allow-origin': ours,
      'access-control-allow-credentials': 'true',
      vary: 'origin',
    });
    expect(headers['access-control-expose-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['x-request-id', 'x-api-version', 'deprecation', 'sunset']),
    );
  });

  it.each(lookAlikes)('gives "%s" no access', async (origin) => {
    const { headers } = await call(getMe, { headers: { origin } });

    expect(headers.vary).toBe('origin');
    const names = Object.keys(headers).filter((name) => name.startsWith('access-control'));
    expect(names).toEqual([]);
  });
});
