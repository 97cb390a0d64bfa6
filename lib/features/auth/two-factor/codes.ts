import { randomBytes } from 'node:crypto';
import type { User } from '#lib/features/users/users.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, create, remove, type Write } from '#lib/platform/db/write.ts';
import type { ApiError } from '#lib/platform/errors/failures.ts';
import { recoveryCodeUsedMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { stepOfCode, totpForm } from './totp.ts';
import { openSecret, type TwoFactor } from './two-factor-record.ts';

const recoveryCodes = 10;
/** 120 bits: codes of this length can be stored as a plain hash. */
const recoveryCodeBytes = 15;
const groupLength = 4;
/** Crockford's base 32: no letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a code of 24 characters, in groups. */
function newRecoveryCode(): string {
  const bits = [...randomBytes(recoveryCodeBytes)].map((byte) => byte.toString(2).padStart(8, '0'));
  const characters = bits.join('').match(/.{5}/g) ?? [];
  const code = characters.map((five) => alphabet[Number.parseInt(five, 2)]).join('');

  return (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-');
}

/** Case, dashes and spaces are only for readability. */
function normalized(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

function keyOfRecoveryCode(userId: string, code: string): Key {
  return userKeys.recoveryCode(userId, hashToken(normalized(code)));
}

/** Returns new recovery codes, and the writes that store their hashes. */
export function planRecoveryCodes(userId: string) {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);

  return { codes, writes: codes.map((code) => create(keyOfRecoveryCode(userId, code), {})) };
}

export type CodeUse = {
  /** The condition of one write fails if the code was used concurrently or does not exist. */
  readonly writes: readonly Write[];
  readonly recoveryCode?: Key;
};

type UseOptions = {
  /** Thrown if the code is wrong, unknown or used. */
  readonly onConditionFailed: () => ApiError;
  /** True if this use turns off two-factor authentication and removes the record. */
  readonly isLast?: boolean;
};

/**
 * Plans the single use of a code from the user's app, or of a recovery code.
 *
 * @throws the error from `onConditionFailed` if a code from the app is wrong. Other wrong codes
 * fail when they are written.
 */
export async function planCodeUse(
  user: Pick<User, 'userId' | 'email'>,
  record: TwoFactor | undefined,
  code: string,
  { onConditionFailed, isLast = false }: UseOptions,
): Promise<CodeUse> {
  const { userId } = user;
  if (!record?.enabledAt) {
    throw onConditionFailed();
  }
  const key = userKeys.twoFactor(userId);
  if (!totpForm.test(normalized(code))) {
    const recoveryCode = keyOfRecoveryCode(userId, code);
    const mail = await planMail(userKeys.user(userId), recoveryCodeUsedMail(user.email));

    const ending = isLast ? [remove(key)] : [];

    return { writes: [remove(recoveryCode, { onConditionFailed }), mail, ...ending], recoveryCode };
  }
  const step = stepOfCode(await openSecret(userId, record), normalized(code));
  if (step === undefined) {
    throw onConditionFailed();
  }
  const when = isUnused(record, step);

  return {
    writes: [
      isLast
        ? remove(key, { when, onConditionFailed })
        : change(key, { set: { lastStep: step }, when, onConditionFailed }),
    ],
  };
}

function isUnused({ enabledAt }: TwoFactor, step: number) {
  return allOf(equals('enabledAt', enabledAt), either(absent('lastStep'), below('lastStep', step)));
}
