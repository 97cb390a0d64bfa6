import { apiError, outage, rateHeaders } from '../meta/api.ts';
import { performHandshake } from '../meta/events.ts';
import type { NetworkDefinition } from '../network-definition.ts';
import { numericId } from '../network-world.ts';
import { accountRoutes } from './account-routes.ts';
import { createEvent } from './events.ts';
import { postUrl, publishingRoutes } from './publishing-routes.ts';

/** Facebook pages: the parts of the Graph API that the service uses. */
export const service: NetworkDefinition = {
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
  routes: [...accountRoutes, ...publishingRoutes],
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
  },
  performHandshake,
};
