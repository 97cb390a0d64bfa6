import { createHmac, timingSafeEqual } from 'node:crypto';
import { now } from '#lib/platform/clock.ts';

/** Limits the replay of recorded events, and allows clock skew. */
const toleranceSeconds = 300;
const maxHeaderLength = 4_096;
const digestPattern = /^[0-9a-f]{64}$/;

/**
 * True if the provider signed this body recently. The header has a timestamp and any number of
 * signatures. A signature by any of the secrets is valid, so that secrets can be rotated.
 */
export function isSignedByProvider(
  header: string | undefined,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  const { signedAt, signatures } = parseHeader(header ?? '');
  if (signedAt === undefined || Math.abs(now() / 1_000 - Number(signedAt)) > toleranceSeconds) {
    return false;
  }
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${signedAt}.`).update(body).digest(),
  );

  return signatures.some((signature) =>
    expected.some((digest) => timingSafeEqual(digest, signature)),
  );
}

/** Parses `t=<seconds>,v1=<hex>[,v1=<hex>…]` and ignores other schemes. */
function parseHeader(header: string): {
  readonly signedAt: string | undefined;
  readonly signatures: readonly Buffer[];
} {
  const fields = header
    .slice(0, maxHeaderLength)
    .split(',')
    .map((field) => field.trim().split('=', 2));
  const times = fields.flatMap(([name, value = '']) => (name === 't' ? [value] : []));
  const [signedAt = ''] = times;

  return {
    signedAt: times.length === 1 && /^\d{1,12}$/.test(signedAt) ? signedAt : undefined,
    signatures: fields.flatMap(([name, value = '']) =>
      name === 'v1' && digestPattern.test(value) ? [Buffer.from(value, 'hex')] : [],
    ),
  };
}
