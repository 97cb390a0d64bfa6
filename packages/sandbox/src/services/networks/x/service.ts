import type { NetworkDefinition } from '../network-definition.ts';
import { numericId } from '../network-world.ts';
import { accountRoutes } from './account-routes.ts';
import { apiError, outage, rateHeaders } from './api.ts';
import { appSettings } from './app.ts';
import { createEvent, performHandshake } from './events.ts';
import { mediaRoutes } from './media-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { publishingRoutes } from './publishing-routes.ts';
import { userScopes } from './scopes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** X: the parts of API version 2 that the service uses. */
export const service: NetworkDefinition = {
  platform: 'TWITTER',
  managesAccounts: false,
  tokens: {
    prefix: 'x-',
    accessSeconds: 7_200,
    refreshSeconds: 15_552_000,
    isRotating: true,
    scopes: userScopes,
  },
  routes: [
    ...accountRoutes,
    ...publishingRoutes,
    ...mediaRoutes,
    ...messageRoutes,
    ...webhookRoutes,
  ],
  failure: outage,
  unknownPath: ({ method, path }) =>
    apiError({
      status: 404,
      title: 'Not Found',
      detail: `Unknown route: ${method} ${path}`,
    }),
  headers: rateHeaders,
  posts: {
    identify: () => {
      const id = numericId(19);

      return { id, url: `https://x.com/i/web/status/${id}` };
    },
  },
  events: {
    hasReposts: true,
    types: ['message', 'comment', 'mention'],
    files: ['image', 'video'],
    create: createEvent,
  },
  performHandshake,
  settings: appSettings,
};
