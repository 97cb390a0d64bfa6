import * as facebook from '#lib/vendors/networks/facebook/metrics.ts';
import * as instagram from '#lib/vendors/networks/instagram/metrics.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/metrics.ts';
import type { MetricsApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/metrics.ts';
import * as x from '#lib/vendors/networks/x/metrics.ts';
import * as youtube from '#lib/vendors/networks/youtube/metrics.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, MetricsApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function metricsOf(platform: Platform): MetricsApi {
  return networks[platform];
}
