import { keys } from '#lib/db/keys.ts';
import { write } from '#lib/db/write.ts';
import { passwordResetMail } from '#lib/mail/mails.ts';
import { planMail } from '#lib/mail/outgoing-mail.ts';
import { findUserIdByEmail } from '#lib/users/users.ts';
import { planUserToken } from './user-tokens.ts';

/** Sends a link to set a new password to the address, if it is somebody's. */
export async function sendPasswordReset(email: string): Promise<void> {
  const userId = await findUserIdByEmail(email);
  if (!userId) {
    return;
  }
  const reset = planUserToken('passwordReset', { userId, email });
  const mail = await planMail(keys.user(userId), passwordResetMail(email, reset.token));
  await write(reset.write, mail.write);
  await mail.dispatch();
}
