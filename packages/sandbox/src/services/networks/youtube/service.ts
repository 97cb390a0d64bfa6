import { randomBytes } from 'node:crypto';
import type { NetworkDefinition } from '../network-definition.ts';
import { accountRoutes } from './account-routes.ts';
import { apiError, outage, scopes } from './api.ts';
import { commentRoutes } from './comment-routes.ts';
import { createEvent, performHandshake } from './events.ts';
import { projectSettings } from './project.ts';
import { keepVideo, publishingRoutes } from './publishing-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** YouTube: the Data API, its reports, Google's OAuth 2 server and its WebSub hub. */
export const service: NetworkDefinition = {
  platform: 'YOUTUBE',
  managesAccounts: true,
  tokens: {
    prefix: 'ya29.',
    accessSeconds: 3_600,
    refreshSeconds: null,
    isRotating: false,
    scopes: [scopes.upload, scopes.read, scopes.all, scopes.reports],
  },
  routes: [
    ...tokenRoutes,
    ...accountRoutes,
    ...publishingRoutes,
    ...commentRoutes,
    ...webhookRoutes,
  ],
  failure: outage,
  unknownPath: () =>
    apiError({ status: 404, reason: 'notFound', domain: 'global', message: 'Not Found' }),
  posts: {
    identify: () => {
      const id = randomBytes(8).toString('base64url');

      return { id, url: `https://www.youtube.com/watch?v=${id}` };
    },
    keep: keepVideo,
    hasDemographics: true,
  },
  events: { types: ['comment'], isPolled: true, create: createEvent },
  performHandshake,
  settings: projectSettings,
};
