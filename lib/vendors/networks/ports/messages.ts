import * as facebook from '#lib/vendors/networks/facebook/messages.ts';
import * as instagram from '#lib/vendors/networks/instagram/messages.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/messages.ts';
import type { MessagesApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/messages.ts';
import * as x from '#lib/vendors/networks/x/messages.ts';
import * as youtube from '#lib/vendors/networks/youtube/messages.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, MessagesApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function messagesOf(platform: Platform): MessagesApi {
  return networks[platform];
}
