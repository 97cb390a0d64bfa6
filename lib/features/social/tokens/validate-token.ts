import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { presentAccount } from '#lib/features/social/accounts/messaging-state.ts';
import {
  credentialsOf,
  findMessagingCredential,
  type TokenHolder,
  tokenDue,
  tokenHolderKey,
} from '#lib/features/social/accounts/token-holder.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { TokenFacts } from '#lib/vendors/networks/network.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { tokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { isDeadToken, withFreshToken } from './fresh-credentials.ts';

/**
 * Validates the account's token with the network, and the token for messages if there is one.
 * Deactivates a token that is invalid and cannot be refreshed. Reactivates one that was wrongly
 * marked inactive.
 *
 * @throws 502 if the network is unavailable.
 */
export async function validateToken(account: SocialAccount) {
  const [facts, messaging] = await Promise.all([validate(account), validateMessaging(account)]);
  const isValid = facts !== undefined;

  return {
    isValid,
    expiresAt: facts?.expiresAt ?? account.tokenExpiresAt,
    permissions: facts?.scopes ?? account.permissions,
    platformUserId: account.platformUserId,
    messaging: presentAccount({ ...account, isActive: isValid, messaging }).messaging,
    validatedAt: timestamp(),
  };
}

async function validateMessaging(account: SocialAccount): Promise<SocialAccount['messaging']> {
  const credential = account.messaging && (await findMessagingCredential(account));
  if (!credential) {
    return undefined;
  }

  return (await validate(credential)) ? 'CONNECTED' : 'EXPIRED';
}

async function validate(holder: TokenHolder): Promise<TokenFacts | undefined> {
  const facts = await factsOf(holder);
  if (facts && !holder.isActive) {
    await reactivate(holder, facts);
  }

  return facts;
}

/** Returns `undefined` if the token is invalid or now belongs to another account. */
async function factsOf(holder: TokenHolder): Promise<TokenFacts | undefined> {
  const tokens = tokensOf(holder);
  try {
    const facts = holder.isActive
      ? await withFreshToken(holder, (fresh) => tokens.validateToken(fresh))
      : await tokens.validateToken(await credentialsOf(holder));

    return facts.platformUserIds.includes(holder.platformUserId) ? facts : undefined;
  } catch (failure) {
    if (isDeadToken(failure)) {
      return undefined;
    }
    throw failure instanceof NetworkError ? asApiError(failure) : failure;
  }
}

async function reactivate(holder: TokenHolder, { expiresAt }: TokenFacts): Promise<void> {
  const { organizationId, id, purpose, tokenVersion } = holder;
  const tokenExpiresAt = expiresAt ?? holder.tokenExpiresAt;
  const updatedAt = timestamp();
  await writeIfMet(
    change(tokenHolderKey(holder), {
      set: {
        isActive: true,
        inactiveReason: null,
        tokenExpiresAt,
        ...tokenDue({ ...holder, tokenExpiresAt }),
        updatedAt,
      },
      when: equals('tokenVersion', tokenVersion),
    }),
    ...(purpose === undefined
      ? []
      : [
          change(socialKeys.socialAccount(organizationId, id), {
            set: { messaging: 'CONNECTED', updatedAt },
          }),
        ]),
  );
}
