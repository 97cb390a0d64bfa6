import { notAllowed } from '#lib/errors/failures.ts';
import type { Platform } from '#schemas/platforms.ts';
import { facebook } from './facebook.ts';
import { instagram } from './instagram.ts';
import { linkedin } from './linkedin.ts';
import type { Network } from './network.ts';
import { youtube } from './youtube.ts';

const networks: Readonly<Partial<Record<Platform, Network>>> = {
  FACEBOOK: facebook,
  INSTAGRAM: instagram,
  LINKEDIN: linkedin,
  YOUTUBE: youtube,
};

/** The adapter of a platform. @throws 400 for one that this service cannot talk to. */
export function networkOf(platform: Platform): Network {
  const network = networks[platform];
  if (!network) {
    throw notAllowed(`${platform} cannot be connected`);
  }

  return network;
}
