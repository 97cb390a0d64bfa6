import type { Platform } from '#schemas/platforms.ts';

/**
 * True if the network replaces this id with another one. TikTok does when moderation has ended: the
 * id of a public post consists of digits.
 */
export function isProvisionalId(platform: Platform, platformPostId: string): boolean {
  return platform === 'TIKTOK' && !/^\d+$/.test(platformPostId);
}
