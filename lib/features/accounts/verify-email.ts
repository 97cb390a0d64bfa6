import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, change, write } from '#lib/platform/db/write.ts';
import { planUserTokenUse, requireUserToken, tokenOutdated } from './user-tokens.ts';

/**
 * Marks the user's address as verified, using a token from an email.
 *
 * @throws 400 if the token is invalid or was sent to a former address.
 */
export async function verifyEmail(token: string, alongside: Alongside<void>): Promise<void> {
  const { userId, email } = await requireUserToken('emailVerification', token);
  await write(
    ...(await alongside()),
    planUserTokenUse(token),
    change(keys.user(userId), {
      set: { emailVerified: true },
      when: equals('email', email),
      refused: tokenOutdated,
    }),
  );
}
