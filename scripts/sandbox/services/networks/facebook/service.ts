import { apiError, outage, rateHeaders } from '../meta/api.ts';
import { performHandshake } from '../meta/events.ts';
import { signRequest } from '../meta/signed-request.ts';
import type { NetworkDefinition } from '../network-definition.ts';
import { numericId } from '../network-world.ts';
import { accountRoutes } from './account-routes.ts';
import { consentRoutes } from './consent-routes.ts';
import { createEvent, createTap } from './events.ts';
import { postUrl, publishingRoutes } from './publishing-routes.ts';
import { pageScopes } from './scopes.ts';

/** Facebook pages: the parts of the Graph API that the service uses. */
export const service: NetworkDefinition = {
  platform: 'FACEBOOK',
  managesAccounts: true,
  tokens: {
    prefix: 'EAA',
    accessSeconds: null,
    refreshSeconds: null,
    isRotating: false,
    scopes: pageScopes,
  },
  routes: [...consentRoutes, ...accountRoutes, ...publishingRoutes],
  signRequest,
  failure: outage,
  unknownPath: ({ method, path }) =>
    apiError({
      status: 404,
      code: 2500,
      message: `Unknown path components: ${method} ${path}`,
    }),
  headers: rateHeaders,
  posts: {
    identify: (_world, pageId) => {
      const id = `${pageId}_${numericId(15)}`;

      return { id, url: postUrl(id) };
    },
  },
  events: {
    types: ['message', 'comment', 'mention'],
    files: ['image', 'video', 'audio', 'file', 'sticker', 'story'],
    changes: { edit: ['message', 'comment'], withdraw: ['comment'] },
    create: createEvent,
    createTap,
  },
  performHandshake,
};
