import type { NetworkDefinition } from '../network-definition.ts';
import { channelRoutes } from './account-routes.ts';
import { googleError, googleOutage, scopes } from './api.ts';
import { commentRoutes, makeYouTubeEvent } from './comment-routes.ts';
import { hubHandshake, hubRoutes } from './events.ts';
import { uploadRoutes } from './publishing-routes.ts';
import { tokenRoutes } from './token-routes.ts';

/** YouTube: the Data API, its reports, Google's OAuth 2 server and its WebSub hub. */
export const youtube: NetworkDefinition = {
  platform: 'YOUTUBE',
  tokens: {
    prefix: 'ya29.',
    accessSeconds: 3_600,
    refreshSeconds: null,
    isRotating: false,
    scopes: [scopes.upload, scopes.read, scopes.all, scopes.reports],
  },
  routes: [...tokenRoutes, ...channelRoutes, ...uploadRoutes, ...commentRoutes, ...hubRoutes],
  failure: googleOutage,
  unknownPath: () =>
    googleError({ status: 404, reason: 'notFound', domain: 'global', message: 'Not Found' }),
  events: { types: ['comment'], isFetched: true, make: makeYouTubeEvent },
  handshake: hubHandshake,
};
