import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, write } from '#lib/platform/db/write.ts';
import { passwordResetMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planUserToken } from './user-tokens.ts';

type Addressee = { readonly userId: string; readonly email: string };

export async function sendPasswordReset(
  { userId, email }: Addressee,
  alongside: Alongside<void>,
): Promise<void> {
  const reset = planUserToken('passwordReset', { userId, email });
  const mail = await planMail(keys.user(userId), passwordResetMail(email, reset.token));
  await write(...(await alongside()), reset.write, mail);
}
