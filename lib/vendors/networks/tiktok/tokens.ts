import type {
  Credentials,
  CurrentTokens,
  NetworkPage,
  TokenFacts,
  Tokens,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { platform } from './call.ts';
import { requestTokens } from './token-endpoint.ts';
import { readUser } from './user.ts';

export async function validateToken(credentials: Credentials): Promise<TokenFacts> {
  const user = await readUser(credentials, 'open_id');

  return { platformUserIds: [user.open_id] };
}

/**
 * Exchanges a single-use refresh token for a new pair. The outcome of a call without a response is
 * unknown, because TikTok may have consumed the token.
 *
 * @throws NetworkError `tokenInvalid` if the refresh token was used, revoked or is missing.
 */
export async function refreshToken({ refreshToken: oldToken }: CurrentTokens): Promise<Tokens> {
  if (oldToken === undefined) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The account has no refresh token',
    });
  }

  return requestTokens({ grant_type: 'refresh_token', refresh_token: oldToken }, ['invalid_grant']);
}

/** Returns the account itself: TikTok has no pages. */
export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
  const user = await readUser(credentials, 'open_id,display_name,username,follower_count');

  return [
    {
      platformPageId: user.open_id,
      name: user.display_name,
      category: null,
      url: user.username === undefined ? null : `https://www.tiktok.com/@${user.username}`,
      isActive: true,
      followersCount: user.follower_count ?? null,
      lastPostDate: null,
    },
  ];
}
