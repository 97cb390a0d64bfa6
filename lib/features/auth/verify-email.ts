import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { planUserTokenUse, requireUserToken, tokenOutdated } from './user-tokens.ts';

/**
 * Marks the user's address as verified, with a token from an email.
 *
 * @throws 400 if the token is invalid, was sent to a former address, or is older than the last
 * revert.
 */
export async function verifyEmail(token: string, extraWrites: ExtraWrites<void>): Promise<void> {
  const { userId, email, issuedAt } = await requireUserToken('emailVerification', token);
  await write(
    ...(await extraWrites()),
    planUserTokenUse(token),
    change(userKeys.user(userId), {
      set: { emailVerified: true },
      when: allOf(
        equals('email', email),
        either(absent('emailRevertedAt'), below('emailRevertedAt', issuedAt)),
      ),
      onConditionFailed: tokenOutdated,
    }),
  );
}
