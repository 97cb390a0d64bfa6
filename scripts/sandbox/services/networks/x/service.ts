import type { NetworkDefinition } from '../network-definition.ts';
import { problem, rateHeaders, twitterOutage } from './api.ts';
import { crcHandshake, makeTwitterEvent } from './events.ts';
import { mediaRoutes } from './media-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { postRoutes } from './publishing-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** X: the part of API version 2 that an app for accounts uses. */
export const twitter: NetworkDefinition = {
  platform: 'TWITTER',
  tokens: {
    prefix: 'x-',
    accessSeconds: 7_200,
    refreshSeconds: 15_552_000,
    isRotating: true,
    scopes: [
      'tweet.read',
      'tweet.write',
      'users.read',
      'offline.access',
      'dm.read',
      'dm.write',
      'media.write',
      'tweet.moderate.write',
    ],
  },
  routes: [...tokenRoutes, ...postRoutes, ...mediaRoutes, ...messageRoutes, ...webhookRoutes],
  failure: twitterOutage,
  unknownPath: ({ method, path }) =>
    problem({
      status: 404,
      title: 'Not Found',
      detail: `Unknown route: ${method} ${path}`,
    }),
  headers: rateHeaders,
  events: { types: ['message', 'comment', 'mention'], make: makeTwitterEvent },
  handshake: crcHandshake,
};
