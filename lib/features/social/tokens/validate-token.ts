import { credentialsOf, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { TokenFacts } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { isDeadToken, withFreshToken } from './fresh-credentials.ts';
import { tokenDue } from './token-life.ts';

/**
 * Validates the account's token with the network. Deactivates the account if the token is invalid
 * and cannot be refreshed. Reactivates an account that was wrongly marked inactive.
 *
 * @throws 502 if the network is unavailable.
 */
export async function validateToken(account: SocialAccount) {
  const facts = await factsOf(account);
  if (facts && !account.isActive) {
    await reactivate(account, facts);
  }

  return {
    isValid: facts !== undefined,
    expiresAt: facts?.expiresAt ?? account.tokenExpiresAt,
    permissions: facts?.scopes ?? account.permissions,
    platformUserId: account.platformUserId,
    validatedAt: timestamp(),
  };
}

/** `undefined` if the token is invalid or now belongs to another account. */
async function factsOf(account: SocialAccount): Promise<TokenFacts | undefined> {
  try {
    const facts = account.isActive
      ? await withFreshToken(account, (network, fresh) => network.validateToken(fresh))
      : await networkOf(account.platform).validateToken(await credentialsOf(account));

    return facts.platformUserIds.includes(account.platformUserId) ? facts : undefined;
  } catch (failure) {
    if (isDeadToken(failure)) {
      return undefined;
    }
    throw failure instanceof NetworkError ? asApiError(failure) : failure;
  }
}

async function reactivate(account: SocialAccount, { expiresAt }: TokenFacts): Promise<void> {
  const { organizationId, id, tokenVersion } = account;
  const tokenExpiresAt = expiresAt ?? account.tokenExpiresAt;
  await writeIfMet(
    change(keys.socialAccount(organizationId, id), {
      set: {
        isActive: true,
        inactiveReason: null,
        tokenExpiresAt,
        ...tokenDue({ ...account, tokenExpiresAt }),
        updatedAt: timestamp(),
      },
      when: equals('tokenVersion', tokenVersion),
    }),
  );
}
