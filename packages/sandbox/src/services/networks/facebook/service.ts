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
import { submitLeadAd } from './lead-ads.ts';
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
  routes: withVersions([...consentRoutes, ...accountRoutes, ...publishingRoutes]),
  signRequest,
  submitLeadAd,
  failure: outage,
  unknownPath,
  headers: rateHeaders,
  posts: {
    identify: (_world, pageId) => {
      const id = `${pageId}_${numericId(15)}`;

      return { id, url: postUrl(id) };
    },
  },
  events: {
    types: ['message', 'comment', 'mention'],
    files: ['image', 'video', 'audio', 'file', 'sticker', 'story', 'share', 'reel'],
    changes: { edit: ['message', 'comment'], withdraw: ['comment'] },
    create: createEvent,
    createTap,
  },
  settings: formSettings,
  performHandshake,
};
