import {
  credentialsOf,
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { TokenFacts } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { isDeadToken, withFreshToken } from './fresh-credentials.ts';
import { tokenDue } from './token-life.ts';

/**
 * Asks the network what it says of the account's token. A dead one deactivates the account, unless
 * it can be renewed; an account that was held for dead and is not becomes active again.
 *
 * @throws 404, 502 where the network is down.
 */
export async function validateToken(organizationId: string, accountId: string) {
  const account = await requireSocialAccount(organizationId, accountId);
  const facts = await factsOf(account);
  if (facts && !account.isActive) {
    await wake(account, facts);
  }

  return {
    isValid: facts !== undefined,
    expiresAt: facts?.expiresAt ?? account.tokenExpiresAt ?? null,
    permissions: [...(facts?.scopes ?? account.permissions)],
    platformUserId: account.platformUserId,
    validatedAt: timestamp(),
  };
}

/** `undefined`: the token is dead, or another account's by now. */
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
    throw failure instanceof NetworkFailure ? asApiError(failure) : failure;
  }
}

async function wake(account: SocialAccount, { expiresAt }: TokenFacts): Promise<void> {
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
