import sign from 'jsonwebtoken/sign.js';
import { epochSeconds } from '#lib/platform/clock.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import {
  type AccessTokenClaims,
  algorithm,
  audience,
  issuer,
  sessionLifetimeSeconds,
} from './access-token.ts';

/**
 * Signs a JWT (RFC 7519) for a session with the newest key. It is valid for seven days and contains
 * only the user id and the session id.
 */
export async function signAccessToken({ userId, sessionId }: AccessTokenClaims): Promise<string> {
  const [current] = (await getSecrets()).jwtKeys;
  if (!current) {
    throw new Error('The secret has no JWT key');
  }
  const issuedAt = epochSeconds();

  return sign(
    { sid: sessionId, iat: issuedAt, exp: issuedAt + sessionLifetimeSeconds },
    current.secret,
    { algorithm, keyid: current.kid, issuer: issuer(), audience, subject: userId },
  );
}
