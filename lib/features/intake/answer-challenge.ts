import { timingSafeEqual } from 'node:crypto';
import {
  type AccountWebhookClaim,
  findAccountWebhookClaim,
} from '#lib/features/social/accounts/account-webhook.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { apiError, requireFound } from '#lib/platform/errors/failures.ts';
import type { RawReply } from '#lib/vendors/networks/network.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { eventsOf } from '#lib/vendors/networks/ports/events.ts';
import type { Platform } from '#schemas/platforms.ts';

function verificationFailed() {
  return apiError('WEBHOOK_VERIFICATION_FAILED', 'Webhook verification failed');
}

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Answers a network's webhook verification request.
 *
 * @throws 400 if the request is not a valid verification request, 403 if it has the wrong token.
 */
export async function answerChallenge(platform: Platform, query: Query): Promise<RawReply> {
  const reply = await asAnswer(eventsOf(platform).answerChallenge(query));
  if (!reply) {
    throw apiError(
      'CAPABILITY_UNSUPPORTED',
      `${platform} does not use this webhook verification method`,
    );
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
 * Returns the challenge if the request has the subscription's verify token.
 *
 * @throws 404 without a subscription, 403 for another token or mode.
 */
export async function verifySubscription(
  accountId: string,
  { mode, challenge, verifyToken }: Handshake,
): Promise<string> {
  const claim = requireFound(await findAccountWebhookClaim(accountId), 'Webhook subscription');
  if (mode !== 'subscribe' || !isTokenOf(claim, verifyToken)) {
    throw verificationFailed();
  }

  return challenge;
}

/** Compares in constant time. */
function isTokenOf({ verifyTokenHash }: AccountWebhookClaim, token: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(verifyTokenHash));
}
