import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { startSetup } from './setup.ts';

const clientId = 'sandbox-google-client.apps.googleusercontent.com';

describe("Google's ID tokens", () => {
  it('are verified by a real client against the served keys', async () => {
    const { url, control } = await startSetup();
    const idToken = await control.issueGoogleIdToken({
      email: 'ada@example.com',
      givenName: 'Ada',
      familyName: 'Lovelace',
    });
    const keys = createRemoteJWKSet(new URL(`${url}/google/oauth2/v3/certs`));
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms: ['RS256'],
      issuer: 'https://accounts.google.com',
      audience: clientId,
    });

    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    expect(payload).toMatchObject({
      sub: expect.stringMatching(/^1\d{20}$/),
      email: 'ada@example.com',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
  });

  it('have the same subject for the same address, and the requested claims', async () => {
    const { control } = await startSetup();
    const claimsOf = async (request: Parameters<typeof control.issueGoogleIdToken>[0]) => {
      const [, payload = ''] = (await control.issueGoogleIdToken(request)).split('.');

      return JSON.parse(Buffer.from(payload, 'base64url').toString());
    };
    const [one, same, other] = await Promise.all(
      ['a@x.test', 'A@x.test', 'b@x.test'].map((email) => claimsOf({ email })),
    );
    expect([one.sub === same.sub, one.sub === other.sub]).toEqual([true, false]);

    const made = { sub: '7', aud: 'app', iss: 'https://iss.test', emailVerified: false };
    expect(await claimsOf({ email: 'a@x.test', ...made })).toMatchObject({
      sub: '7',
      aud: 'app',
      iss: 'https://iss.test',
      email_verified: false,
    });
  });

  it('can be issued as expired', async () => {
    const { url, control } = await startSetup();
    const idToken = await control.issueGoogleIdToken({ email: 'a@x.test', expiresIn: -5 });
    const keys = createRemoteJWKSet(new URL(`${url}/google/oauth2/v3/certs`));

    await expect(jwtVerify(idToken, keys)).rejects.toBeInstanceOf(errors.JWTExpired);
  });

  it('are not issued for unknown fields', async () => {
    const { url } = await startSetup();
    const response = await fetch(`${url}/_sandbox/google/id-tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@x.test', role: 'OWNER' }),
    });

    expect(response.status).toBe(400);
  });
});

describe("Google's keys", () => {
  it('may be cached and are logged, and faults apply to them', async () => {
    const { url, control } = await startSetup();
    const certs = `${url}/google/oauth2/v3/certs`;
    const response = await fetch(certs);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = (await response.json()) as { keys: unknown[] };
    expect(keys).toEqual([
      {
        kid: expect.any(String),
        kty: 'RSA',
        alg: 'RS256',
        use: 'sig',
        n: expect.any(String),
        e: 'AQAB',
      },
    ]);

    await control.addFault({ service: 'google', mode: 'down' });
    expect((await fetch(certs)).status).toBe(503);
    const requests = await control.requests({ service: 'google' });
    expect(requests.map(({ path }) => path)).toEqual([
      '/google/oauth2/v3/certs',
      '/google/oauth2/v3/certs',
    ]);
  });
});
