import * as facebook from '#lib/vendors/networks/facebook/subscriptions.ts';
import * as instagram from '#lib/vendors/networks/instagram/subscriptions.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/subscriptions.ts';
import type { SubscriptionsApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/subscriptions.ts';
import * as x from '#lib/vendors/networks/x/subscriptions.ts';
import * as youtube from '#lib/vendors/networks/youtube/subscriptions.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, SubscriptionsApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function subscriptionsOf(platform: Platform): SubscriptionsApi {
  return networks[platform];
}
