import { timingSafeEqual } from 'node:crypto';
import {
  type AccountWebhookClaim,
  findAccountWebhookClaim,
} from '#lib/features/social/accounts/account-webhook.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { forbidden, notAllowed, notFound } from '#lib/platform/errors/failures.ts';
import type { RawReply } from '#lib/vendors/networks/network.ts';
import { asAnswer } from '#lib/vendors/networks/network-failure.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import type { Platform } from '#schemas/platforms.ts';

function verificationFailed() {
  return forbidden('Webhook verification failed');
}

type Query = Readonly<Record<string, string | undefined>>;

/**
 * What a network is answered that asks whether this service wants its events.
 *
 * @throws 400 for a request that is no handshake of the network's, 403 for one of a stranger.
 */
export async function answerChallenge(platform: Platform, query: Query): Promise<RawReply> {
  const reply = await asAnswer(networkOf(platform).answerChallenge(query));
  if (!reply) {
    throw notAllowed(`${platform} does not use this webhook verification`);
  }
  if (reply.status >= 400) {
    throw verificationFailed();
  }

  return reply;
}

export type Handshake = {
  readonly mode: string;
  readonly challenge: string;
  readonly verifyToken: string;
};

/**
 * The challenge, for whoever knows the subscription's verify token.
 *
 * @throws 404 without a subscription, 403 for another token or mode.
 */
export async function verifySubscription(
  accountId: string,
  { mode, challenge, verifyToken }: Handshake,
): Promise<string> {
  const claim = await findAccountWebhookClaim(accountId);
  if (!claim) {
    throw notFound('Webhook subscription');
  }
  if (mode !== 'subscribe' || !isTokenOf(claim, verifyToken)) {
    throw verificationFailed();
  }

  return challenge;
}

/** In constant time. */
function isTokenOf({ verifyTokenHash }: AccountWebhookClaim, token: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(verifyTokenHash));
}
