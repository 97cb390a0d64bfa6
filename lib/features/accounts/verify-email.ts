import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, change, write } from '#lib/platform/db/write.ts';
import { requireUserToken, tokenOutdated, useUserToken } from './user-tokens.ts';

/**
 * Notes that the address of the user is theirs, by the token of a mail to it.
 *
 * @throws 400 for a token that is not good, or not for the address that the user has now.
 */
export async function verifyEmail(token: string, alongside: Alongside<void>): Promise<void> {
  const { userId, email } = await requireUserToken('emailVerification', token);
  await write(
    ...(await alongside()),
    useUserToken(token),
    change(keys.user(userId), {
      set: { emailVerified: true },
      when: equals('email', email),
      refused: tokenOutdated,
    }),
  );
}
