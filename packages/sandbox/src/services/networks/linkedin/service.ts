import type { NetworkDefinition } from '../network-definition.ts';
import { numericId } from '../network-world.ts';
import { accountRoutes } from './account-routes.ts';
import { apiError, outage } from './api.ts';
import { commentRoutes } from './comment-routes.ts';
import { createEvent, notificationIdOf, performHandshake } from './events.ts';
import { mediaRoutes } from './media-routes.ts';
import { keepCommentary, publishingRoutes } from './publishing-routes.ts';
import { memberScopes } from './scopes.ts';

const daySeconds = 86_400;

/** LinkedIn: the parts of its API that the service uses for organizations. */
export const service: NetworkDefinition = {
  platform: 'LINKEDIN',
  managesAccounts: true,
  tokens: {
    prefix: 'AQ',
    accessSeconds: 60 * daySeconds,
    refreshSeconds: 365 * daySeconds,
    isRotating: false,
    scopes: memberScopes,
  },
  routes: [...accountRoutes, ...publishingRoutes, ...mediaRoutes, ...commentRoutes],
  failure: outage,
  unknownPath: ({ path }) =>
    apiError({
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: `No virtual resource ${path}`,
    }),
  posts: {
    identify: () => {
      const id = `urn:li:share:${numericId(19)}`;

      return { id, url: `https://www.linkedin.com/feed/update/${id}/` };
    },
    keep: keepCommentary,
  },
  events: { types: ['comment', 'mention'], create: createEvent },
  eventIdOf: notificationIdOf,
  performHandshake,
};
