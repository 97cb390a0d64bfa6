import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import {
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { canRefresh } from '#lib/features/social/accounts/token-holder.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { contentRanges } from '#lib/platform/db/keys/content.ts';
import { query } from '#lib/platform/db/read.ts';
import { missingScopes } from '#lib/vendors/networks/scopes.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { TokenFamilyName } from '#schemas/social.ts';

const families: Readonly<Record<Platform, TokenFamilyName>> = {
  FACEBOOK: 'META_PAGE',
  INSTAGRAM: 'INSTAGRAM_LONG',
  TIKTOK: 'ROTATING',
  TWITTER: 'ROTATING',
  LINKEDIN: 'LINKEDIN',
  YOUTUBE: 'GOOGLE',
};

/**
 * Returns the known state of an account's token, without calling the network.
 *
 * @throws 404
 */
export async function readTokenHealth(organizationId: string, accountId: string) {
  const account = await requireSocialAccount(organizationId, accountId);
  const { platform, permissions, isActive, inactiveReason, tokenExpiresAt } = account;

  return {
    family: families[platform],
    expiresAt: tokenExpiresAt,
    refreshable: canRefresh(account),
    missingPermissions: missingScopes(platform, permissions),
    postsAtRisk: await countPostsAtRisk(account),
    lastRefreshAt: account.lastRefreshAt,
    lastError: isActive ? account.lastRefreshError : inactiveReason,
  };
}

/** Counts the scheduled posts that are due after the token has expired. */
async function countPostsAtRisk(account: SocialAccount): Promise<number> {
  const { organizationId, id, isActive, tokenExpiresAt } = account;
  const endsAt = isActive ? tokenExpiresAt : timestamp();
  if (endsAt === undefined || (isActive && canRefresh(account))) {
    return 0;
  }
  const rows = await query<PostDate>(contentRanges.postDates(organizationId, endsAt));

  return rows.filter(
    ({ targetAccountId, state }) => targetAccountId === id && state === 'SCHEDULED',
  ).length;
}
