import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { OAuthApi } from '#lib/vendors/networks/network.ts';
import { commentActionsOf } from '#lib/vendors/networks/ports/comment-actions.ts';
import { eventsOf } from '#lib/vendors/networks/ports/events.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import { messagesOf } from '#lib/vendors/networks/ports/messages.ts';
import { metricsOf } from '#lib/vendors/networks/ports/metrics.ts';
import { oauthOf } from '#lib/vendors/networks/ports/oauth.ts';
import { ownCommentsOf } from '#lib/vendors/networks/ports/own-comments.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import { subscriptionsOf } from '#lib/vendors/networks/ports/subscriptions.ts';
import { accountTokensOf, tokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import type { Platform } from '#schemas/platforms.ts';

/** All parts of the port to a network. */
export type Network = ReturnType<typeof networkOf>;

export function networkOf(platform: Platform) {
  return {
    platform,
    ...accountTokensOf(platform),
    ...publishingOf(platform),
    ...ownCommentsOf(platform),
    ...metricsOf(platform),
    ...subscriptionsOf(platform),
    ...eventsOf(platform),
    ...lookupsOf(platform),
    ...messagesOf(platform),
    ...commentActionsOf(platform),
    businessTokens: capabilities[platform].needsBusinessToken
      ? tokensOf({ platform, purpose: 'messaging' })
      : undefined,
    oauth: oauthOf(platform, 'publishing') as OAuthApi,
    businessOAuth: oauthOf(platform, 'messaging'),
  };
}
