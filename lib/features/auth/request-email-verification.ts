import { fullName, requireUser } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { emailVerificationMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { listAcceptedTerms } from './accepted-terms.ts';
import { planUserToken } from './user-tokens.ts';

/** Sends an email to verify the user's address. Does nothing if it is already verified. */
export async function requestEmailVerification(
  userId: string,
  clientIp: string,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const [user, consents] = await Promise.all([requireUser(userId), listAcceptedTerms(userId)]);
  if (user.emailVerified) {
    return;
  }
  const verification = planUserToken('emailVerification', user);
  const signup = user.emailChanges ? undefined : consents.at(-1);
  const letter = emailVerificationMail({
    to: user.email,
    name: fullName(user),
    cause: user.emailChanges ? 'change' : 'signup',
    at: signup?.acceptedAt ?? timestamp(),
    clientIp: signup?.ipAddress ?? clientIp,
    token: verification.token,
  });
  const mail = await planMail(userKeys.user(userId), letter);
  await write(...(await extraWrites()), verification.write, mail);
}
