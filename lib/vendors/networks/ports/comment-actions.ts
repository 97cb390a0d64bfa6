import * as facebook from '#lib/vendors/networks/facebook/comment-actions.ts';
import * as instagram from '#lib/vendors/networks/instagram/comment-actions.ts';
import * as linkedin from '#lib/vendors/networks/linkedin/comment-actions.ts';
import type { CommentActionsApi } from '#lib/vendors/networks/network.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/comment-actions.ts';
import * as x from '#lib/vendors/networks/x/comment-actions.ts';
import * as youtube from '#lib/vendors/networks/youtube/comment-actions.ts';
import type { Platform } from '#schemas/platforms.ts';

const networks: Readonly<Record<Platform, CommentActionsApi>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: x,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

export function commentActionsOf(platform: Platform): CommentActionsApi {
  return networks[platform];
}
