import { outage, rateHeaders, unknownPath } from '../meta/api.ts';
import { performHandshake } from '../meta/events.ts';
import { formSettings } from '../meta/form.ts';
import { signRequest } from '../meta/signed-request.ts';
import { withVersions } from '../meta/versions.ts';
import type { NetworkDefinition } from '../network-definition.ts';
import { numericId } from '../network-world.ts';
import { accountRoutes } from './account-routes.ts';
import { consentRoutes } from './consent-routes.ts';
import { createEvent, createTap } from './events.ts';
import { publishingRoutes } from './publishing-routes.ts';
import { accountScopes } from './scopes.ts';
import { accessSeconds } from './token-life.ts';

const daySeconds = 86_400;

/** Professional accounts that logged in at Instagram, on Instagram's own Graph API host. */
export const service: NetworkDefinition = {
  platform: 'INSTAGRAM',
  managesAccounts: false,
  tokens: {
    prefix: 'IGAA',
    accessSeconds,
    // Half of the lifetime: Instagram cannot extend a token that is younger than a day.
    issuedSeconds: 30 * daySeconds,
    refreshSeconds: null,
    isRotating: false,
    scopes: accountScopes,
  },
  routes: withVersions([...consentRoutes, ...accountRoutes, ...publishingRoutes]),
  signRequest,
  failure: outage,
  unknownPath,
  headers: rateHeaders,
  posts: {
    identify: () => {
      const id = numericId();

      return { id, url: `https://www.instagram.com/p/${id}/` };
    },
  },
  events: {
    types: ['message', 'comment'],
    files: ['image', 'video', 'audio', 'file', 'sticker', 'story', 'storyMention', 'share', 'reel'],
    changes: { edit: ['message'], withdraw: ['message'], announce: ['message'] },
    create: createEvent,
    createTap,
  },
  settings: formSettings,
  performHandshake,
};
