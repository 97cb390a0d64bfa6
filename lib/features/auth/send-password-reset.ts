import { userKeys } from '#lib/platform/db/keys/users.ts';
import { type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { passwordResetMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planUserToken } from './user-tokens.ts';

/**
 * Sends a reset link. For an unknown address, does the same work, so that the response takes the
 * same time: creates a token without a user and a mail that the worker drops.
 */
export async function sendPasswordReset(
  email: string,
  knownId: string | undefined,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const userId = knownId ?? newId();
  const reset = planUserToken('passwordReset', { userId, email });
  const letter = passwordResetMail(email, reset.token);
  const mail = await planMail(userKeys.user(userId), { ...letter, isDecoy: knownId === undefined });
  await write(...(await extraWrites()), reset.write, mail);
}
