import type { NetworkDefinition } from '../network-definition.ts';
import { accountOf, numericId } from '../network-world.ts';
import { accountRoutes, usernameOf } from './account-routes.ts';
import { apiError, outage } from './api.ts';
import { businessAccountRoutes } from './business-account-routes.ts';
import { businessIdOf, businessTokens } from './business-api.ts';
import { commentRoutes } from './comment-routes.ts';
import { createEvent } from './events.ts';
import { publishingRoutes } from './publishing-routes.ts';
import { userScopes } from './scopes.ts';

/**
 * TikTok: the public API for posts, and the Business API for messages and comments. Each has its
 * own app, tokens and account ids.
 */
export const service: NetworkDefinition = {
  platform: 'TIKTOK',
  managesAccounts: false,
  tokens: {
    prefix: 'act.',
    accessSeconds: 86_400,
    refreshSeconds: 31_536_000,
    isRotating: true,
    scopes: userScopes,
  },
  messaging: { tokens: businessTokens, openIdOf: businessIdOf },
  routes: [...accountRoutes, ...publishingRoutes, ...businessAccountRoutes, ...commentRoutes],
  failure: outage,
  unknownPath: ({ path }) => apiError(404, 'invalid_path', `Unsupported path: ${path}`),
  posts: {
    identify: (world, userId) => {
      const id = numericId(19);
      const handle = usernameOf(accountOf(world, userId).name);

      return { id, url: `https://www.tiktok.com/@${handle}/video/${id}` };
    },
  },
  events: {
    types: ['message', 'comment'],
    files: ['image', 'video', 'sticker'],
    changes: { withdraw: ['comment'] },
    create: createEvent,
  },
};
