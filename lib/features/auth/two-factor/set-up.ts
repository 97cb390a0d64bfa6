import type { User } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { apiError, badRequest, overtaken, wrongState } from '#lib/platform/errors/failures.ts';
import { twoFactorEnabledMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planRecoveryCodes } from './codes.ts';
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts';
import { findTwoFactor, isAsRead, openSecret, sealSecret } from './two-factor-record.ts';

const alreadyOn = () => wrongState('Two-factor authentication is already on', 'ENABLED');

type Setup = { readonly secret: string; readonly otpauthUrl: string };

/**
 * Stores a new secret, which replaces the secret of an unfinished setup. Sign-ins don't require a
 * code until `enableTwoFactor`.
 *
 * @throws 403 for a user without a password, 409 if two-factor authentication is already on.
 */
export async function setUpTwoFactor(user: User, extraWrites: ExtraWrites<Setup>): Promise<Setup> {
  const { userId, email, authProvider, twoFactorEnabled } = user;
  if (authProvider !== 'LOCAL') {
    throw apiError(
      'TWO_FACTOR_UNAVAILABLE',
      'Your Google account protects your sign-in. Turn on two-step verification there',
    );
  }
  if (twoFactorEnabled) {
    throw alreadyOn();
  }
  const secret = newTotpSecret();
  const setup = { secret, otpauthUrl: otpauthUrl(secret, email) };
  await write(
    ...(await extraWrites(setup)),
    change(userKeys.twoFactor(userId), {
      set: { secret: await sealSecret(userId, secret), lastStep: null },
      when: absent('enabledAt'),
      orCreate: true,
      onConditionFailed: alreadyOn,
    }),
  );

  return setup;
}

type Enabled = { readonly recoveryCodes: readonly string[] };

/**
 * Requires a code at each sign-in from now on. The given code is used up, and proves that the app
 * has the secret.
 *
 * @throws 409 without a setup or if it is already on, 400 for a wrong code.
 */
export async function enableTwoFactor(
  user: User,
  code: string,
  extraWrites: ExtraWrites<Enabled>,
): Promise<Enabled> {
  const { userId, email } = user;
  const record = await findTwoFactor(userId);
  if (!record) {
    throw wrongState('Set up two-factor authentication first', 'DISABLED');
  }
  if (record.enabledAt) {
    throw alreadyOn();
  }
  const lastStep = stepOfCode(await openSecret(userId, record), code);
  if (lastStep === undefined) {
    throw badRequest('code is invalid');
  }
  const { codes, writes } = planRecoveryCodes(userId);
  const enabled = { recoveryCodes: codes };
  await write(
    ...(await extraWrites(enabled)),
    change(userKeys.twoFactor(userId), {
      set: { enabledAt: timestamp(), enabledWith: email, lastStep },
      when: isAsRead(record),
      onConditionFailed: (stored) =>
        stored?.enabledAt ? alreadyOn() : overtaken('Another request changed the setup. Try again'),
    }),
    change(userKeys.user(userId), {
      set: { twoFactorEnabled: true, updatedAt: timestamp() },
      onConditionFailed: alreadyOn,
    }),
    ...writes,
    await planMail(userKeys.user(userId), twoFactorEnabledMail(email)),
  );

  return enabled;
}
