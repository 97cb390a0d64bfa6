import { adapter as facebook } from '#lib/vendors/networks/facebook/adapter.ts';
import { adapter as instagram } from '#lib/vendors/networks/instagram/adapter.ts';
import { adapter as linkedin } from '#lib/vendors/networks/linkedin/adapter.ts';
import { adapter as tiktok } from '#lib/vendors/networks/tiktok/adapter.ts';
import { adapter as x } from '#lib/vendors/networks/x/adapter.ts';
import { adapter as youtube } from '#lib/vendors/networks/youtube/adapter.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { Network } from './network.ts';

const networks: Readonly<Record<Platform, Network>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function networkOf(platform: Platform): Network {
  return networks[platform];
}
