import type { KeyObject } from 'node:crypto';
import type jwt from 'jsonwebtoken';
import decode from 'jsonwebtoken/decode.js';
import verify from 'jsonwebtoken/verify.js';
import { now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import { getFreshSecrets, getSecrets } from '#lib/platform/secrets/secrets.ts';

export const sessionLifetimeSeconds = 7 * 24 * 3600;

export const algorithm = 'HS256';
export const audience = 'social-leads-api';
const allowedHeaders = new Set(['alg', 'typ', 'kid']);

export type AccessTokenClaims = { readonly userId: string; readonly sessionId: string };

export function issuer(): string {
  return `social-leads-${config.stage}`;
}

/**
 * Verifies a token according to RFC 8725: one fixed algorithm, a known key, and all claims. An
 * unknown key id reloads the secret, so that key rotation needs no redeploy.
 *
 * @throws 401 for any invalid token, without the reason.
 */
export async function verifyAccessToken(token: string): Promise<AccessTokenClaims> {
  const key = await findSigningKey(readKeyId(token));
  const claims = verifySignature(token, key);
  if (typeof claims !== 'object' || typeof claims.sub !== 'string') {
    throw sessionInvalid();
  }
  if (typeof claims.sid !== 'string' || claims.exp === undefined || claims.iat === undefined) {
    throw sessionInvalid();
  }

  return { userId: claims.sub, sessionId: claims.sid };
}

/** Decodes the token's header. The library throws if the claims are not valid JSON. */
function readHeader(token: string): Record<string, unknown> {
  try {
    return { ...decode(token, { complete: true })?.header };
  } catch (failure) {
    throw sessionInvalid(failure);
  }
}

function readKeyId(token: string): string {
  const header = readHeader(token);
  const isOurs =
    header.alg === algorithm &&
    header.typ === 'JWT' &&
    typeof header.kid === 'string' &&
    Object.keys(header).every((parameter) => allowedHeaders.has(parameter));
  if (!isOurs) {
    throw sessionInvalid();
  }

  return String(header.kid);
}

async function findSigningKey(kid: string): Promise<KeyObject> {
  const known = (await getSecrets()).jwtKeys.find((key) => key.kid === kid);
  const found = known ?? (await getFreshSecrets()).jwtKeys.find((key) => key.kid === kid);
  if (!found) {
    throw sessionInvalid();
  }

  return found.secret;
}

function verifySignature(token: string, key: KeyObject): jwt.JwtPayload | string {
  try {
    return verify(token, key, {
      algorithms: [algorithm],
      issuer: issuer(),
      audience,
      clockTimestamp: Math.floor(now() / 1000),
    });
  } catch (failure) {
    throw sessionInvalid(failure);
  }
}
