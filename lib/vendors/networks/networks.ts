import { facebook } from '#lib/vendors/networks/facebook/adapter.ts';
import { instagram } from '#lib/vendors/networks/instagram/adapter.ts';
import { linkedin } from '#lib/vendors/networks/linkedin/adapter.ts';
import { tiktok } from '#lib/vendors/networks/tiktok/adapter.ts';
import { twitter } from '#lib/vendors/networks/x/adapter.ts';
import { youtube } from '#lib/vendors/networks/youtube/adapter.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { Network } from './network.ts';

const networks: Readonly<Record<Platform, Network>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: twitter,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

/** The adapter of a platform. */
export function networkOf(platform: Platform): Network {
  return networks[platform];
}
