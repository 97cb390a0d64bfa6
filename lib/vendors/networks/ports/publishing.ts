import * as facebook from '#lib/vendors/networks/facebook/publishing.ts';
import * as instagram from '#lib/vendors/networks/instagram/publishing.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/publishing.ts';
import type { PublishingApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/publishing.ts';
import * as x from '#lib/vendors/networks/x/publishing.ts';
import * as youtube from '#lib/vendors/networks/youtube/publishing.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, PublishingApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function publishingOf(platform: Platform): PublishingApi {
  return networks[platform];
}
