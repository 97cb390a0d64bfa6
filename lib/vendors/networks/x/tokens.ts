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
  const user = await readUser(credentials);

  return { platformUserIds: [user.id] };
}

/**
 * Exchanges a single-use refresh token for a new pair. The outcome of a call without a response is
 * unknown, because X may have consumed the token.
 *
 * @throws NetworkError `tokenInvalid` if the refresh token was used, revoked or is missing.
 */
export async function refreshToken({ refreshToken: oldToken }: CurrentTokens): Promise<Tokens> {
  if (oldToken === undefined) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: 'The account has no refresh token',
    });
  }

  return requestTokens({ grant_type: 'refresh_token', refresh_token: oldToken });
}

/** Returns the account itself: X has no pages. */
export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
  const { id, name, username, public_metrics: metrics } = await readUser(credentials);

  return [
    {
      platformPageId: id,
      name,
      category: null,
      url: `https://x.com/${username}`,
      isActive: true,
      followersCount: metrics?.followers_count ?? null,
      lastPostDate: null,
    },
  ];
}
