import { fetchLeadAd } from '#lib/vendors/networks/facebook/lead-ads.ts';
import * as facebook from '#lib/vendors/networks/facebook/lookups.ts';
import { listScopedIds } from '#lib/vendors/networks/facebook/page-scoped-ids.ts';
import * as instagram from '#lib/vendors/networks/instagram/lookups.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/lookups.ts';
import type { LookupsApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/lookups.ts';
import * as x from '#lib/vendors/networks/x/lookups.ts';
import * as youtube from '#lib/vendors/networks/youtube/lookups.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, LookupsApi>> = {
  FACEBOOK: {
    fetchComments: facebook.fetchComments,
    fetchProfile: facebook.fetchProfile,
    completeEvent: facebook.completeEvent,
    fetchLeadAd,
    listScopedIds,
  },
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function lookupsOf(platform: Platform): LookupsApi {
  return networks[platform];
}
