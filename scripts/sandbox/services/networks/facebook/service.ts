import { graphError, graphOutage, usageHeaders } from '../meta/api.ts';
import { hubHandshake } from '../meta/events.ts';
import type { NetworkDefinition } from '../network-definition.ts';
import { pageRoutes } from './account-routes.ts';
import { makeFacebookEvent } from './events.ts';
import { postRoutes } from './publishing-routes.ts';

/** Facebook pages: the part of the Graph API that an app for pages uses. */
export const facebook: NetworkDefinition = {
  platform: 'FACEBOOK',
  tokens: {
    prefix: 'EAA',
    accessSeconds: null,
    refreshSeconds: null,
    isRotating: false,
    scopes: [
      'pages_show_list',
      'pages_manage_posts',
      'pages_read_engagement',
      'pages_read_user_content',
      'pages_manage_engagement',
      'pages_manage_metadata',
      'pages_messaging',
      'read_insights',
      'business_management',
    ],
  },
  routes: [...pageRoutes, ...postRoutes],
  failure: graphOutage,
  unknownPath: ({ method, path }) =>
    graphError({
      status: 404,
      code: 2500,
      message: `Unknown path components: ${method} ${path}`,
    }),
  headers: usageHeaders,
  events: { types: ['message', 'comment', 'mention'], make: makeFacebookEvent },
  handshake: hubHandshake,
};
