import type { Platform } from '#schemas/platforms.ts';

/**
 * True if the network later replaces this id. TikTok does after moderation: the id of a public post
 * consists of digits.
 */
export function isProvisionalId(platform: Platform, platformPostId: string): boolean {
  return platform === 'TIKTOK' && !/^\d+$/.test(platformPostId);
}
