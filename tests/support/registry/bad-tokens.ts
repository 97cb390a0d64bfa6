import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { epochSeconds } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { signAccessToken } from '#lib/platform/identity/sign-access-token.ts';
import { newId } from '#lib/platform/ids.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import type { Person } from '#scripts/fixtures/world.ts';

type Claims = Readonly<Record<string, unknown>>;

export type BadToken = { readonly name: string; readonly token: string };

type Forge = {
  readonly kid: string;
  readonly key: Buffer;
  readonly claims: Claims;
  readonly good: string;
};

function encode(part: unknown): string {
  const text = typeof part === 'string' ? part : JSON.stringify(part);

  return Buffer.from(text).toString('base64url');
}

function hmac(input: string, key: Buffer | string, hash = 'sha256'): string {
  return createHmac(hash, key).update(input).digest('base64url');
}

/** Returns a token with a valid signature and any header and claims. */
function signed({ key }: Forge, header: unknown, claims: unknown, hash = 'sha256'): string {
  const input = `${encode(header)}.${encode(claims)}`;

  return `${input}.${hmac(input, key, hash)}`;
}

function withHeader(forge: Forge, header: Claims): string {
  return signed(forge, { alg: 'HS256', typ: 'JWT', kid: forge.kid, ...header }, forge.claims);
}

function withClaims(forge: Forge, claims: Claims): string {
  const header = { alg: 'HS256', typ: 'JWT', kid: forge.kid };

  return signed(forge, header, { ...forge.claims, ...claims });
}

function named(tokens: Readonly<Record<string, string>>): readonly BadToken[] {
  return Object.entries(tokens).map(([name, token]) => ({ name, token }));
}

/** RFC 8725, 2.1 and 3.1: the token must not choose the algorithm. */
function ofOtherAlgorithms(forge: Forge): readonly BadToken[] {
  const unsigned = ['none', 'None', 'NONE', ''].map((alg) => {
    const header = { alg, typ: 'JWT', kid: forge.kid };

    return { name: `alg "${alg}"`, token: `${encode(header)}.${encode(forge.claims)}.` };
  });
  const longer = (['384', '512'] as const).map((bits) => ({
    name: `alg HS${bits}`,
    token: signed(
      forge,
      { alg: `HS${bits}`, typ: 'JWT', kid: forge.kid },
      forge.claims,
      `sha${bits}`,
    ),
  }));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const input = `${encode({ alg: 'RS256', typ: 'JWT', kid: forge.kid })}.${encode(forge.claims)}`;
  const rsa = sign('sha256', Buffer.from(input), privateKey).toString('base64url');

  return [
    ...unsigned,
    ...longer,
    ...named({
      'alg none with a right signature': withHeader(forge, { alg: 'none' }),
      'alg RS256 over the shared secret': withHeader(forge, { alg: 'RS256' }),
      'alg RS256 with a key of its own': `${input}.${rsa}`,
      'alg ES256': withHeader(forge, { alg: 'ES256' }),
      'alg in lower case': withHeader(forge, { alg: 'hs256' }),
      'alg that is no string': withHeader(forge, { alg: ['HS256'] }),
    }),
  ];
}

/** RFC 8725, 3.10 and 3.11: the token's headers must not say where its key comes from. */
function ofOtherHeaders(forge: Forge): readonly BadToken[] {
  const url = 'https://attacker.example.com/keys';

  return named({
    'no typ': withHeader(forge, { typ: undefined }),
    'typ of an access token of OAuth': withHeader(forge, { typ: 'at+jwt' }),
    'typ in lower case': withHeader(forge, { typ: 'jwt' }),
    'no kid': withHeader(forge, { kid: undefined }),
    'empty kid': withHeader(forge, { kid: '' }),
    'unknown kid': withHeader(forge, { kid: 'unknown' }),
    'kid that is a path': withHeader(forge, { kid: '../../../../dev/null' }),
    'kid that is a query': withHeader(forge, { kid: "' UNION SELECT 'key" }),
    'kid that is a list': withHeader(forge, { kid: [forge.kid] }),
    'kid of a prototype': withHeader(forge, { kid: '__proto__' }),
    jku: withHeader(forge, { jku: url }),
    x5u: withHeader(forge, { x5u: url }),
    x5c: withHeader(forge, { x5c: ['AAAA'] }),
    jwk: withHeader(forge, { jwk: { kty: 'oct', k: encode('key') } }),
    crit: withHeader(forge, { crit: ['exp'] }),
    'unencoded payload': withHeader(forge, { b64: false, crit: ['b64'] }),
    compression: withHeader(forge, { zip: 'DEF' }),
  });
}

function ofOtherClaims(forge: Forge): readonly BadToken[] {
  const now = epochSeconds();

  return named({
    expired: withClaims(forge, { exp: now - 1 }),
    'expires now': withClaims(forge, { exp: now }),
    'no exp': withClaims(forge, { exp: undefined }),
    'exp that is text': withClaims(forge, { exp: String(now + 3600) }),
    'not valid yet': withClaims(forge, { nbf: now + 3600 }),
    'nbf that is text': withClaims(forge, { nbf: 'tomorrow' }),
    'no iat': withClaims(forge, { iat: undefined }),
    'of another issuer': withClaims(forge, { iss: 'social-leads-prod' }),
    'no issuer': withClaims(forge, { iss: undefined }),
    'for another audience': withClaims(forge, { aud: 'another-api' }),
    'no audience': withClaims(forge, { aud: undefined }),
    'no user': withClaims(forge, { sub: undefined }),
    'user that is a list': withClaims(forge, { sub: [forge.claims.sub] }),
    'user that nobody is': withClaims(forge, { sub: newId() }),
    'no session': withClaims(forge, { sid: undefined }),
    'session that is an object': withClaims(forge, { sid: { S: forge.claims.sid } }),
    'session that never was': withClaims(forge, { sid: newId() }),
    'empty session': withClaims(forge, { sid: '' }),
    'claims that are a list': signed(forge, { alg: 'HS256', typ: 'JWT', kid: forge.kid }, []),
    'claims that are text': signed(forge, { alg: 'HS256', typ: 'JWT', kid: forge.kid }, 'text'),
  });
}

function damaged({ good, key, kid }: Forge): readonly BadToken[] {
  const [header = '', claims = '', signature = ''] = good.split('.');
  const first = signature[0] === 'A' ? 'B' : 'A';

  return named({
    'one bit of the signature': `${header}.${claims}.${first}${signature.slice(1)}`,
    'half of the signature': `${header}.${claims}.${signature.slice(0, 20)}`,
    'no signature': `${header}.${claims}.`,
    'two parts': `${header}.${claims}`,
    'four parts': `${good}.${signature}`,
    'one part': header,
    'signed with the key id': `${header}.${claims}.${hmac(`${header}.${claims}`, kid)}`,
    'signed with nothing': `${header}.${claims}.${hmac(`${header}.${claims}`, '')}`,
    'signed over the claims alone': `${header}.${claims}.${hmac(claims, key)}`,
    'something behind it': `${good}x`,
    'header that is no JSON': `${encode('{')}.${claims}.${signature}`,
    dots: '..',
    text: 'null',
    undefined: 'undefined',
    'very long': 'a'.repeat(100_000),
    'a password hash': '$2b$12$abcdefghijklmnopqrstuu',
  });
}

async function forgeFor(person: Person): Promise<Forge> {
  const [current] = (await getSecrets()).jwtKeys;
  if (!current) {
    throw new Error('The secret has no JWT key');
  }
  const now = epochSeconds();

  return {
    kid: current.kid,
    key: current.secret.export(),
    good: person.token,
    claims: {
      iss: `social-leads-${config.stage}`,
      aud: 'social-leads-api',
      sub: person.userId,
      sid: person.sessionId,
      iat: now,
      exp: now + 3600,
    },
  };
}

/** Returns a valid token, built in the same way as the invalid ones. */
export async function goodToken(person: Person): Promise<string> {
  return withClaims(await forgeFor(person), {});
}

/** Returns invalid tokens, each with one defect. */
export async function badTokens(person: Person, other: Person): Promise<readonly BadToken[]> {
  const forge = await forgeFor(person);
  const mixed = await signAccessToken({ userId: other.userId, sessionId: person.sessionId });

  return [
    { name: "one user with another's session", token: mixed },
    ...ofOtherAlgorithms(forge),
    ...ofOtherHeaders(forge),
    ...ofOtherClaims(forge),
    ...damaged(forge),
  ];
}
