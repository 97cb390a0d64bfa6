import * as facebook from '#lib/vendors/networks/facebook/own-comments.ts';
import * as instagram from '#lib/vendors/networks/instagram/own-comments.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/own-comments.ts';
import type { OwnCommentsApi } from '#lib/vendors/networks/network.ts';
import * as youtube from '#lib/vendors/networks/youtube/own-comments.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Partial<Record<Platform, OwnCommentsApi>>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

/** Returns `undefined` if the network lacks `firstComment`. */
export function ownCommentsOf(platform: Platform): OwnCommentsApi | undefined {
  return networks[platform];
}
