import { errors, type JWTPayload, jwtVerify } from 'jose';
import { now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { googleTokenInvalid } from '#lib/platform/errors/failures.ts';
import { email as emailSchema } from '#schemas/common.ts';
import { findGoogleKey } from './google-keys.ts';

/** A person whom Google has authenticated for this app. Google has verified the address. */
export type GooglePerson = {
  /** Google's permanent id of the account. Addresses can change. */
  readonly subject: string;
  readonly email: string;
  readonly givenName?: string;
  readonly familyName?: string;
};

const issuers = ['https://accounts.google.com', 'accounts.google.com'];
const maxSubjectLength = 255;

/**
 * Verifies an ID token: signature by one of Google's keys, issuer, audience, expiry and a verified
 * address. https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 *
 * @throws 401 for any invalid token, without the reason, or a 502 if Google's keys are unavailable.
 */
export async function verifyGoogleIdToken(idToken: string): Promise<GooglePerson> {
  const { clientId } = config.google;
  if (!clientId) {
    throw googleTokenInvalid();
  }

  return personOf(await verifiedClaims(idToken, clientId));
}

async function verifiedClaims(idToken: string, clientId: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, findGoogleKey, {
      algorithms: ['RS256'],
      issuer: issuers,
      audience: clientId,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: new Date(now()),
    });

    return payload;
  } catch (failure) {
    throw failure instanceof errors.JOSEError ? googleTokenInvalid(failure) : failure;
  }
}

/** Google's tokens are for one audience, which has been verified. */
function personOf(claims: JWTPayload): GooglePerson {
  const { sub, aud, email, email_verified: isVerified } = claims;
  const address = emailSchema.safeParse(email);
  const isUsable =
    isVerified === true &&
    typeof aud === 'string' &&
    typeof sub === 'string' &&
    sub.length > 0 &&
    sub.length <= maxSubjectLength;
  if (!isUsable || !address.success) {
    throw googleTokenInvalid();
  }

  return {
    subject: sub,
    email: address.data,
    ...textOf('givenName', claims.given_name),
    ...textOf('familyName', claims.family_name),
  };
}

function textOf<Name extends string>(
  name: Name,
  value: unknown,
): { readonly [N in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { [N in Name]: string }) : {};
}
