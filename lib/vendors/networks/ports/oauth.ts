import { oauth as facebook } from '#lib/vendors/networks/facebook/oauth.ts';
import { oauth as instagram } from '#lib/vendors/networks/instagram/oauth.ts';
import { oauth as linkedin } from '#lib/vendors/networks/linkedin/oauth.ts';
import type { ConsentPurpose, OAuthApi } from '#lib/vendors/networks/network.ts';
import { businessOAuth as tiktokBusiness } from '#lib/vendors/networks/tiktok/business-oauth.ts';
import { oauth as tiktok } from '#lib/vendors/networks/tiktok/oauth.ts';
import { oauth as x } from '#lib/vendors/networks/x/oauth.ts';
import { oauth as youtube } from '#lib/vendors/networks/youtube/oauth.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, OAuthApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};
/** Consent for the second kind of token, on networks with `needsBusinessToken`. */
const businessNetworks: Readonly<Partial<Record<Platform, OAuthApi>>> = { TIKTOK: tiktokBusiness };

/** Returns `undefined` if the network has no token of this kind. */
export function oauthOf(platform: Platform, purpose: ConsentPurpose): OAuthApi | undefined {
  return purpose === 'messaging' ? businessNetworks[platform] : networks[platform];
}
