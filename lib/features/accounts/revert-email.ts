import {
  planEmailReclaim,
  planEmailRelease,
  type User,
} from '#lib/features/accounts/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type Alongside, change, discard, remove, write } from '#lib/platform/db/write.ts';
import { endSessionsOpenedSince, planEndOfSessions } from './sessions.ts';
import { planTwoFactorRemovalSince } from './two-factor/two-factor-record.ts';
import { unmatchableHash } from './unmatchable-hash.ts';
import { planUserTokenUse, requireUserToken, tokenOutdated } from './user-tokens.ts';

/**
 * Restores the address that a token was sent to when it was replaced. Ends all sessions, and no
 * password opens the account until one is set with a reset link that the restored address receives.
 * A Google account that was linked since, and a second factor that was set up since, end, too: they
 * may be those of a thief. Voids all other links, except those sent to addresses that the user had even earlier.
 *
 * @throws 400 if the token is invalid, or an earlier address was restored since it was sent.
 */
export async function revertEmail(token: string, alongside: Alongside<void>): Promise<void> {
  const {
    userId,
    email,
    issuedAt,
    changesBefore = 0,
  } = await requireUserToken('emailRevert', token);
  await retryWhenOvertaken('email address', async () => {
    const user = await get<User>(keys.user(userId));
    if (!user || (user.emailChanges ?? 0) <= changesBefore) {
      throw tokenOutdated();
    }
    const [endings, twoFactorRemoval] = await Promise.all([
      planEndOfSessions(userId),
      planTwoFactorRemovalSince(userId, issuedAt),
    ]);
    const now = timestamp();
    const { googleSubject, googleLinkedAt = '' } = user;
    const isUnlinked = googleSubject !== undefined && googleLinkedAt > issuedAt;
    await write(
      ...(await alongside()),
      planUserTokenUse(token),
      // A later change with the same number replaces this item, which voids the token.
      remove(keys.formerEmail(userId, changesBefore), {
        when: equals('tokenHash', hashToken(token)),
        refused: tokenOutdated,
      }),
      ...(user.email === email
        ? []
        : [planEmailReclaim(email, userId), planEmailRelease(user.email, userId)]),
      change(keys.user(userId), {
        set: {
          email,
          emailVerified: true,
          emailChanges: changesBefore === 0 ? null : changesBefore,
          emailRevertedAt: now,
          passwordHash: unmatchableHash(),
          passwordSetAt: now,
          updatedAt: now,
          ...(isUnlinked ? { googleSubject: null, googleLinkedAt: null } : {}),
          ...(twoFactorRemoval.length > 0 ? { twoFactorEnabled: null } : {}),
        },
        when: allOf(
          equals('email', user.email),
          equals('emailChanges', user.emailChanges),
          unchanged('googleSubject', googleSubject),
          unchanged('twoFactorEnabled', user.twoFactorEnabled),
        ),
      }),
      ...(isUnlinked ? [discard(keys.googleSubject(googleSubject))] : []),
      ...twoFactorRemoval,
      ...endings,
    );
  });
  await endSessionsOpenedSince(userId);
}
