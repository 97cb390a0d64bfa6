import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';

/**
 * True if the service can renew the account's token without a person. Like `canRefresh`, without
 * loading the networks' adapters.
 */
export function isSelfRefreshing({
  platform,
  refreshToken,
}: Pick<SocialAccount, 'platform' | 'refreshToken'>): boolean {
  return (
    capabilities[platform].supports.tokenRefresh &&
    (refreshToken !== undefined || platform === 'INSTAGRAM')
  );
}
