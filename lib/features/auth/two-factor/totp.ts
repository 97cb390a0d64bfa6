import { Secret, TOTP } from 'otpauth';
import { now } from '#lib/platform/clock.ts';

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;
const periodSeconds = 30;
/** Clocks of phones differ, so codes of the previous and next step are accepted. */
const driftSteps = 1;

export const totpForm = /^\d{6}$/;

/** RFC 6238 with the parameters that all authenticator apps support. */
function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Social Leads',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}

/** Returns a new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** Returns the URL that an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** Returns the time step of a code, or undefined if the code is wrong. */
export function stepOfCode(secret: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '');
  // The library throws if the number of bytes differs.
  if (!totpForm.test(token)) {
    return undefined;
  }
  const timestamp = now();
  const delta = totpOf(secret).validate({
    token,
    timestamp,
    window: driftSteps,
  });

  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta;
}
