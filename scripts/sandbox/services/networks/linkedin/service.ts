import type { NetworkDefinition } from '../network-definition.ts';
import { memberRoutes } from './account-routes.ts';
import { restliError, restliOutage } from './api.ts';
import { challenge, socialRoutes } from './comment-routes.ts';
import { makeLinkedInEvent } from './events.ts';
import { mediaRoutes } from './media-routes.ts';
import { postRoutes } from './publishing-routes.ts';

const daySeconds = 86_400;

/** LinkedIn: the part of the API that an app for organizations uses. */
export const linkedin: NetworkDefinition = {
  platform: 'LINKEDIN',
  tokens: {
    prefix: 'AQ',
    accessSeconds: 60 * daySeconds,
    refreshSeconds: 365 * daySeconds,
    isRotating: false,
    scopes: [
      'openid',
      'profile',
      'w_member_social',
      'w_organization_social',
      'r_organization_social',
      'rw_organization_admin',
    ],
  },
  routes: [...memberRoutes, ...postRoutes, ...mediaRoutes, ...socialRoutes],
  failure: restliOutage,
  unknownPath: ({ path }) =>
    restliError({
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: `No virtual resource ${path}`,
    }),
  events: { types: ['comment', 'mention'], make: makeLinkedInEvent },
  handshake: (world, callbackUrl) => challenge({ world }, callbackUrl),
};
