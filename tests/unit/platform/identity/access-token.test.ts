import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { sessionLifetimeSeconds, verifyAccessToken } from '#lib/platform/identity/access-token.ts';
import { signAccessToken } from '#lib/platform/identity/sign-access-token.ts';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import { depth } from '#tests/support/depth.ts';
import { firstDocument, hold, newKey, reads, useFakeSecrets } from '#tests/support/fake-secrets.ts';

const claims = { userId: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f', sessionId: 'session' };
const [firstKey] = firstDocument.jwtKeys;
const secret = Buffer.from(String(firstKey?.secret), 'base64');
const otherSecret = randomBytes(32);
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const nowSeconds = nowMs / 1000;

useFakeSecrets();
beforeEach(() => {
  setClock(() => nowMs);
});

const goodHeader = { alg: 'HS256', typ: 'JWT', kid: 'first' };
const goodPayload = {
  sub: claims.userId,
  sid: claims.sessionId,
  iss: 'social-leads-test',
  aud: 'social-leads-api',
  iat: nowSeconds,
  exp: nowSeconds + 60,
};

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function forge(
  header: unknown = goodHeader,
  payload: unknown = goodPayload,
  key: Buffer | string = secret,
  hash = 'sha256',
): string {
  const content = `${encode(header)}.${encode(payload)}`;

  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}

function without(field: keyof typeof goodPayload) {
  const { [field]: _, ...others } = goodPayload;

  return others;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const good = forge();
const [goodHead, goodBody, goodSignature] = good.split('.');

const badTokens: ReadonlyArray<readonly [string, string]> = [
  ['no content', ''],
  ['a word', 'token'],
  ['only two parts', `${goodHead}.${goodBody}`],
  ['four parts', `${good}.${goodSignature}`],
  ['no signature', `${goodHead}.${goodBody}.`],
  ['no payload', `${goodHead}..${goodSignature}`],
  ['no header', `.${goodBody}.${goodSignature}`],
  ['only dots', '..'],
  ['white space around it', ` ${good} `],
  ['a line break at its end', `${good}\n`],
  ['a NUL in it', `${goodHead}.${goodBody}\u0000.${goodSignature}`],
  ['a header that is not JSON', forge('not JSON')],
  ['a header that is a list', forge([])],
  ['a header that is null', forge('null')],
  ['a payload that is not JSON', forge(goodHeader, 'not JSON')],
  ['a payload that is a string', forge(goodHeader, '"text"')],
  ['a payload that is a list', forge(goodHeader, [])],
  ['a payload that is null', forge(goodHeader, 'null')],
  ['alg none', `${encode({ ...goodHeader, alg: 'none' })}.${goodBody}.`],
  ['alg None', `${encode({ ...goodHeader, alg: 'None' })}.${goodBody}.`],
  ['alg none with a signature', forge({ ...goodHeader, alg: 'none' })],
  ['alg hs256', forge({ ...goodHeader, alg: 'hs256' })],
  ['alg HS384', forge({ ...goodHeader, alg: 'HS384' }, goodPayload, secret, 'sha384')],
  ['alg HS512', forge({ ...goodHeader, alg: 'HS512' }, goodPayload, secret, 'sha512')],
  ['no alg', forge({ typ: 'JWT', kid: 'first' })],
  [
    'a valid RS256 signature',
    jwt.sign(goodPayload, rsa.privateKey, { algorithm: 'RS256', keyid: 'first' }),
  ],
  [
    'alg RS256 and an HS256 signature with the public key',
    forge({ ...goodHeader, alg: 'RS256' }, goodPayload, publicPem),
  ],
  ['another secret', forge(goodHeader, goodPayload, otherSecret)],
  ['an empty secret', forge(goodHeader, goodPayload, '')],
  [
    'the base64 text of the secret as the key',
    forge(goodHeader, goodPayload, String(firstKey?.secret)),
  ],
  ['an unknown kid', forge({ ...goodHeader, kid: 'other' })],
  ['no kid', forge({ alg: 'HS256', typ: 'JWT' })],
  ['a kid that is a path', forge({ ...goodHeader, kid: '../../dev/null' }, goodPayload, '')],
  ['a kid that is a prototype key', forge({ ...goodHeader, kid: '__proto__' })],
  ['a kid that is a list', forge({ ...goodHeader, kid: ['first'] })],
  ['a wrong typ', forge({ ...goodHeader, typ: 'at+jwt' })],
  ['no typ', forge({ alg: 'HS256', kid: 'first' })],
  ['a jku', forge({ ...goodHeader, jku: 'https://evil.example/keys' })],
  ['an x5u', forge({ ...goodHeader, x5u: 'https://evil.example/certificate' })],
  ['an x5c', forge({ ...goodHeader, x5c: ['MIIB'] })],
  [
    'an embedded key',
    forge(
      { ...goodHeader, jwk: { kty: 'oct', k: encode(otherSecret.toString('base64url')) } },
      goodPayload,
      otherSecret,
    ),
  ],
  ['a critical extension', forge({ ...goodHeader, crit: ['exp'] })],
  ['an unencoded payload option', forge({ ...goodHeader, b64: false })],
  ['another issuer', forge(goodHeader, { ...goodPayload, iss: 'social-leads-prod' })],
  ['no issuer', forge(goodHeader, without('iss'))],
  ['another audience', forge(goodHeader, { ...goodPayload, aud: 'somebody-else' })],
  ['no audience', forge(goodHeader, without('aud'))],
  ['no subject', forge(goodHeader, without('sub'))],
  ['a subject that is a number', forge(goodHeader, { ...goodPayload, sub: 7 })],
  ['no session', forge(goodHeader, without('sid'))],
  ['a session that is an object', forge(goodHeader, { ...goodPayload, sid: {} })],
  ['no expiry', forge(goodHeader, without('exp'))],
  ['no issue time', forge(goodHeader, without('iat'))],
  ['an expiry in the past', forge(goodHeader, { ...goodPayload, exp: nowSeconds - 1 })],
  ['an expiry of right now', forge(goodHeader, { ...goodPayload, exp: nowSeconds })],
  ['an expiry that is text', forge(goodHeader, { ...goodPayload, exp: 'tomorrow' })],
  ['a start time in the future', forge(goodHeader, { ...goodPayload, nbf: nowSeconds + 60 })],
  [
    'a payload that does not match the signature',
    `${goodHead}.${encode({ ...goodPayload, sub: 'x' })}.${goodSignature}`,
  ],
  ['padding', `${goodHead}.${goodBody}.${goodSignature}=`],
];

describe('signAccessToken and verifyAccessToken', () => {
  it('accepts a token with its claims for seven days', async () => {
    const token = await signAccessToken(claims);

    expect(await verifyAccessToken(token)).toEqual(claims);
    const decoded = jwt.decode(token, { complete: true });
    expect(decoded?.header).toEqual(goodHeader);
    expect(decoded?.payload).toEqual({
      ...goodPayload,
      exp: nowSeconds + sessionLifetimeSeconds,
    });
    setClock(() => nowMs + (sessionLifetimeSeconds - 1) * secondMs);
    expect(await verifyAccessToken(token)).toEqual(claims);
    setClock(() => nowMs + sessionLifetimeSeconds * secondMs);
    await expect(verifyAccessToken(token)).rejects.toMatchObject({ statusCode: 401 });
  });

  it('accepts a token that the test signs exactly like the service', async () => {
    expect(await verifyAccessToken(good)).toEqual(claims);
  });

  it.each(badTokens)('rejects a token with %s', async (_, token) => {
    await expect(verifyAccessToken(token)).rejects.toMatchObject({
      statusCode: 401,
      publicMessage: 'Invalid or expired access token',
      code: 'SESSION_INVALID',
    });
  });

  it('rejects a token with any single bit flipped', async () => {
    const bytes = Buffer.from(good);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: bytes.length - 1 }),
        fc.integer({ min: 0, max: 6 }),
        async (position, bit) => {
          const flipped = Buffer.from(bytes);
          flipped[position] = (flipped[position] ?? 0) ^ (1 << bit);
          await expect(verifyAccessToken(flipped.toString('latin1'))).rejects.toMatchObject({
            statusCode: 401,
          });
        },
      ),
      { numRuns: depth(500) },
    );
  });

  it('rejects any text with 401 and never fails in another way', async () => {
    const part = fc.oneof(fc.string(), fc.json(), fc.base64String()).map(encode);
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 5 }).map((all) => all.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        await expect(verifyAccessToken(token)).rejects.toMatchObject({ statusCode: 401 });
      }),
      { numRuns: depth(500) },
    );
  });
});

describe('signing key rotation', () => {
  const rotated = {
    ...firstDocument,
    jwtKeys: [{ kid: 'second', secret: newKey() }, ...firstDocument.jwtKeys],
  };

  it('accepts both keys and signs with the new one', async () => {
    const old = await signAccessToken(claims);
    hold(rotated);
    forgetSecrets();
    const fresh = await signAccessToken(claims);

    expect(jwt.decode(fresh, { complete: true })?.header.kid).toBe('second');
    expect(await verifyAccessToken(old)).toEqual(claims);
    expect(await verifyAccessToken(fresh)).toEqual(claims);
  });

  it('reloads the secret when a token has a key that the instance has not loaded', async () => {
    hold(rotated);
    const fresh = await signAccessToken(claims);
    forgetSecrets();
    hold(firstDocument);
    await signAccessToken(claims);
    hold(rotated);

    setClock(() => nowMs + 11 * secondMs);
    expect(await verifyAccessToken(fresh)).toEqual(claims);
  });

  it('rejects tokens of a removed key after at most five minutes', async () => {
    const old = await signAccessToken(claims);
    hold({ ...rotated, jwtKeys: rotated.jwtKeys.slice(0, 1) });
    setClock(() => nowMs + 5 * minuteMs);

    await expect(verifyAccessToken(old)).rejects.toMatchObject({ statusCode: 401 });
  });

  it('reads the secret at most once in ten seconds for tokens with unknown keys', async () => {
    await signAccessToken(claims);
    const before = reads();
    setClock(() => nowMs + 11 * secondMs);
    const unknown = forge({ ...goodHeader, kid: 'other' });
    await Promise.allSettled(Array.from({ length: 100 }, () => verifyAccessToken(unknown)));
    await Promise.allSettled(Array.from({ length: 100 }, () => verifyAccessToken(unknown)));

    expect(reads()).toBe(before + 1);
  });
});
