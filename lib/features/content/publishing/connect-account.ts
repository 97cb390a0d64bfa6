import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { AccountMissingError, type Connect } from './connection.ts';

/**
 * Connects to an account's network, if the account and its organization still exist. An expiring
 * token is refreshed first, and a rejected one is renewed.
 */
export const connectAccount: Connect = async ({ organizationId, targetAccountId: accountId }) => {
  const [account, organization] = await getMany<SocialAccount & { readonly deletedAt?: string }>([
    keys.socialAccount(organizationId, accountId),
    keys.organization(organizationId),
  ]);
  if (!account || !organization || organization.deletedAt) {
    throw new AccountMissingError('The social account has been disconnected');
  }

  return (use) => withFreshToken(account, use);
};
