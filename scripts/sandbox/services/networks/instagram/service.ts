import { graphError, graphOutage, usageHeaders } from '../meta/api.ts';
import { hubHandshake } from '../meta/events.ts';
import type { NetworkDefinition } from '../network-definition.ts';
import { accountRoutes } from './account-routes.ts';
import { makeInstagramEvent } from './events.ts';
import { mediaRoutes } from './publishing-routes.ts';
import { accessSeconds } from './token-life.ts';

const daySeconds = 86_400;

/** Instagram professional accounts with Instagram login, which use their own Graph API host. */
export const instagram: NetworkDefinition = {
  platform: 'INSTAGRAM',
  tokens: {
    prefix: 'IGAA',
    accessSeconds,
    // Half of its lifetime has passed, because tokens younger than a day can't be extended.
    issuedSeconds: 30 * daySeconds,
    refreshSeconds: null,
    isRotating: false,
    scopes: [
      'instagram_business_basic',
      'instagram_business_content_publish',
      'instagram_business_manage_comments',
      'instagram_business_manage_insights',
      'instagram_business_manage_messages',
    ],
  },
  routes: [...accountRoutes, ...mediaRoutes],
  failure: graphOutage,
  unknownPath: ({ method, path }) =>
    graphError({ status: 404, code: 2500, message: `Unknown path components: ${method} ${path}` }),
  headers: usageHeaders,
  events: { types: ['message', 'comment'], make: makeInstagramEvent },
  handshake: hubHandshake,
};
