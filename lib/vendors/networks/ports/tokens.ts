import { badRequest } from '#lib/platform/errors/failures.ts';
import * as facebook from '#lib/vendors/networks/facebook/tokens.ts';
import * as instagram from '#lib/vendors/networks/instagram/tokens.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/tokens.ts';
import type { AccountTokensApi, TokensApi } from '#lib/vendors/networks/network.ts';
import * as tiktokBusiness from '#lib/vendors/networks/tiktok/business-tokens.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/tokens.ts';
import * as x from '#lib/vendors/networks/x/tokens.ts';
import * as youtube from '#lib/vendors/networks/youtube/tokens.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, AccountTokensApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};
/**
 * The second kind of token, for messages, comments and their events on networks with
 * `needsBusinessToken`.
 */
const businessNetworks: Readonly<Partial<Record<Platform, TokensApi>>> = { TIKTOK: tiktokBusiness };

type TokenKind = { readonly platform: Platform; readonly purpose?: 'messaging' };

export function accountTokensOf(platform: Platform): AccountTokensApi {
  return networks[platform];
}

/**
 * Returns the functions that validate and refresh an account's tokens.
 *
 * @throws 400 if the network has no second kind of token.
 */
export function tokensOf({ platform, purpose }: TokenKind): TokensApi {
  const tokens = purpose === undefined ? networks[platform] : businessNetworks[platform];
  if (!tokens) {
    throw badRequest(`businessToken is not supported for ${platform}`);
  }

  return tokens;
}
