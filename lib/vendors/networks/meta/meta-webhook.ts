import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import type { ChallengeQuery, Headers, RawReply } from '#lib/vendors/networks/network.ts';
import { hmacOf, isSameToken, isSignature } from '#lib/vendors/networks/signature.ts';
import type { Platform } from '#schemas/platforms.ts';

/** Answers Meta's handshake: returns the challenge if the verify token is correct. */
export async function answerHubChallenge(
  platform: Platform,
  query: ChallengeQuery,
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
  const isKnown = expected !== undefined && isSameToken(verifyToken, expected);

  return mode === 'subscribe' && isKnown ? plain(200, challenge) : plain(403, 'Forbidden');
}

/**
 * True if the raw body was signed with a secret of one of the platforms' apps. Instagram deliveries
 * are signed by the Instagram or the Facebook app, depending on how the account logged in.
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

function plain(status: number, body: string): RawReply {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}
