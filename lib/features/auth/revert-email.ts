import { endKeysOf, planNoNewKeys } from '#lib/features/organizations/api-keys.ts';
import { planEmailReclaim, planEmailRelease, type User } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { endSessionsOpenedSince, planEndOfSessions } from './sessions.ts';
import { planTwoFactorRemovalSince } from './two-factor/two-factor-record.ts';
import { unmatchableHash } from './unmatchable-hash.ts';
import { planUserTokenUse, requireUserToken, tokenOutdated } from './user-tokens.ts';

/**
 * Restores the address that the token was sent to when it was replaced. Ends all sessions and
 * invalidates the password. A reset link, sent to the restored address, sets a new one. Also
 * removes API keys and a second factor that were created since, because a thief may have created
 * them. Invalidates all other links, and forgets known browsers.
 *
 * @throws 400 if the token is invalid, or its address can no longer revert the changes.
 */
export async function revertEmail(token: string, extraWrites: ExtraWrites<void>): Promise<void> {
  const { userId, email, issuedAt } = await requireUserToken('emailRevert', token);
  await retryWhenOvertaken('email address', async () => {
    const user = await get<User>(userKeys.user(userId));
    if (user?.emailChain?.revertible !== email) {
      throw tokenOutdated();
    }
    const noNewKeys = await planNoNewKeys(userId);
    await endKeysOf(userId, issuedAt);
    const [endings, twoFactorRemoval] = await Promise.all([
      planEndOfSessions(userId),
      planTwoFactorRemovalSince(userId, issuedAt, email),
    ]);
    const now = timestamp();
    await write(
      ...(await extraWrites()),
      planUserTokenUse(token),
      ...(user.email === email
        ? []
        : [planEmailReclaim(email, userId), planEmailRelease(user.email, userId)]),
      change(userKeys.user(userId), {
        set: {
          email,
          emailVerified: true,
          emailChain: null,
          emailRevertedAt: now,
          passwordHash: unmatchableHash(),
          passwordSetAt: now,
          devicesKnownSince: now,
          updatedAt: now,
          ...(twoFactorRemoval.length > 0 ? { twoFactorEnabled: null } : {}),
        },
        add: { emailChanges: 1 },
        when: allOf(
          equals('emailChanges', user.emailChanges),
          equals('emailChain', user.emailChain),
          unchanged('twoFactorEnabled', user.twoFactorEnabled),
        ),
      }),
      ...twoFactorRemoval,
      ...noNewKeys,
      ...endings,
    );
  });
  await endSessionsOpenedSince(userId);
}
