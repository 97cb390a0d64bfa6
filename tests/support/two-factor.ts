import { Secret, TOTP } from 'otpauth';
import { planRecoveryCodes } from '#lib/features/accounts/two-factor/codes.ts';
import { newTotpSecret } from '#lib/features/accounts/two-factor/totp.ts';
import { sealSecret } from '#lib/features/accounts/two-factor/two-factor-record.ts';
import { now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';

const stepMs = 30 * secondMs;

/** Returns the code that an authenticator app shows, some steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now() + steps * stepMs,
  });
}

/** Returns a code that is wrong at any time around now. */
export function wrongCodeOf(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'];

  return wrong.find((code) => !right.has(code)) ?? '';
}

export type SecondFactor = { readonly secret: string; readonly recoveryCodes: readonly string[] };

/** Starts a setup directly in the table, and turns two-factor authentication off before. */
export async function plantSetup(userId: string): Promise<string> {
  const secret = newTotpSecret();
  await write(
    put(keys.twoFactor(userId), { secret: await sealSecret(userId, secret) }),
    change(keys.user(userId), { set: { twoFactorEnabled: null } }),
  );

  return secret;
}

/** Turns two-factor authentication on directly in the table. */
export async function plantTwoFactor(userId: string): Promise<SecondFactor> {
  const secret = newTotpSecret();
  const { codes, writes } = planRecoveryCodes(userId);
  await write(
    put(keys.twoFactor(userId), {
      secret: await sealSecret(userId, secret),
      enabledAt: timestamp(),
    }),
    change(keys.user(userId), { set: { twoFactorEnabled: true } }),
    ...writes,
  );

  return { secret, recoveryCodes: codes };
}
