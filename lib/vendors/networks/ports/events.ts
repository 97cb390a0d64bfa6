import * as facebook from '#lib/vendors/networks/facebook/events.ts';
import * as instagram from '#lib/vendors/networks/instagram/events.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/events.ts';
import type { EventsApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/events.ts';
import * as x from '#lib/vendors/networks/x/events.ts';
import * as youtube from '#lib/vendors/networks/youtube/events.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, EventsApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function eventsOf(platform: Platform): EventsApi {
  return networks[platform];
}
