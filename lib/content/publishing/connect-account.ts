import { keys } from '#lib/db/keys.ts';
import { getMany } from '#lib/db/read.ts';
import type { SocialAccount } from '#lib/social/accounts.ts';
import { withFreshToken } from '#lib/social/tokens/fresh-credentials.ts';
import { AccountGone, type Connect } from './connection.ts';

/**
 * The way to an account's network, as long as the account and its organization exist. A token that
 * is about to end is refreshed first, and one that is refused is exchanged.
 */
export const connectAccount: Connect = async ({ organizationId, targetAccountId: accountId }) => {
  const [account, organization] = await getMany<SocialAccount & { readonly deletedAt?: string }>([
    keys.socialAccount(organizationId, accountId),
    keys.organization(organizationId),
  ]);
  if (!account || !organization || organization.deletedAt) {
    throw new AccountGone('The social account has been disconnected');
  }

  return (use) => withFreshToken(account, use);
};
