import type { NetworkDefinition } from '../network-definition.ts';
import { accountRoutes } from './account-routes.ts';
import { tiktokError, tiktokOutage } from './api.ts';
import { businessRoutes } from './comment-routes.ts';
import { makeTiktokEvent } from './events.ts';
import { publishRoutes } from './publishing-routes.ts';

/** TikTok: the public API for posts, the Business API for messages and comments. */
export const tiktok: NetworkDefinition = {
  platform: 'TIKTOK',
  tokens: {
    prefix: 'act.',
    accessSeconds: 86_400,
    refreshSeconds: 31_536_000,
    isRotating: true,
    scopes: [
      'user.info.basic',
      'user.info.profile',
      'user.info.stats',
      'video.publish',
      'video.upload',
      'video.list',
    ],
  },
  routes: [...accountRoutes, ...publishRoutes, ...businessRoutes],
  failure: tiktokOutage,
  unknownPath: ({ path }) => tiktokError(404, 'invalid_path', `Unsupported path: ${path}`),
  events: { types: ['message', 'comment'], make: makeTiktokEvent },
};
