import { timingSafeEqual } from 'node:crypto';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import type { Headers, RawReply } from '#lib/vendors/networks/network.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import type { Platform } from '#schemas/platforms.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** Meta's handshake: whoever knows the verify token gets the challenge back. */
export async function answerHubChallenge(
  platform: Platform,
  query: Query,
): Promise<RawReply | undefined> {
  const { 'hub.mode': mode, 'hub.challenge': challenge, 'hub.verify_token': verifyToken } = query;
  if (mode === undefined && challenge === undefined && verifyToken === undefined) {
    return undefined;
  }
  if (!mode || !challenge || !verifyToken) {
    return plain(400, 'hub.mode, hub.challenge and hub.verify_token are required');
  }
  const { networks } = await getSecrets();
  const expected = networks[platform]?.verifyToken;
  const isKnown = expected !== undefined && isSameText(verifyToken, expected);

  return mode === 'subscribe' && isKnown ? plain(200, challenge) : plain(403, 'Forbidden');
}

/**
 * Whether one of the apps' secrets made the signature, on the bytes as they came. Instagram's
 * deliveries are signed by the app of either platform, by the way in which the account logged in.
 */
export async function isSignedByMeta(
  platforms: readonly Platform[],
  rawBody: Buffer,
  headers: Headers,
): Promise<boolean> {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(headers['x-hub-signature-256'] ?? '')?.[1];
  if (given === undefined) {
    return false;
  }
  const { networks } = await getSecrets();
  const secrets = platforms.flatMap((platform) => {
    const app = networks[platform];

    return app ? [app.webhookSecret ?? [], app.clientSecret].flat() : [];
  });

  return secrets.some((secret) => isSignature(given, 'hex', hmacOf(secret, rawBody)));
}

function isSameText(one: string, other: string): boolean {
  // Digests have one length, so that not even the length of the token is told.
  return timingSafeEqual(hmacOf('verify', one), hmacOf('verify', other));
}

function plain(status: number, body: string): RawReply {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}
