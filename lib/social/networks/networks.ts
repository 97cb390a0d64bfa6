import type { Platform } from '#schemas/platforms.ts';
import { facebook } from './facebook.ts';
import { instagram } from './instagram.ts';
import { linkedin } from './linkedin.ts';
import type { Network } from './network.ts';
import { tiktok } from './tiktok.ts';
import { twitter } from './twitter.ts';
import { youtube } from './youtube.ts';

const networks: Readonly<Record<Platform, Network>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  TIKTOK: tiktok,
  TWITTER: twitter,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

/** The adapter of a platform. */
export function networkOf(platform: Platform): Network {
  return networks[platform];
}
