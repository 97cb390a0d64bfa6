import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '#lib/platform/webhooks/sign.ts';
import { depth } from '#tests/support/depth.ts';

const messages = fc.record({ id: fc.uuid(), body: fc.json() });
const timestampSeconds = () => Math.floor(Date.now() / 1000);

function isAccepted(
  secret: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers });

    return true;
  } catch {
    return false;
  }
}

describe('signatureHeaders', () => {
  test('creates signatures that the reference library accepts', () => {
    fc.assert(
      fc.property(messages, ({ id, body }) => {
        const secret = newWebhookSecret();
        const message = { id, body, timestampSeconds: timestampSeconds() };
        expect(isAccepted(secret, body, signatureHeaders([secret], message))).toBe(true);
      }),
      { numRuns: depth(100, 1_000) },
    );
  });

  test('creates the same signature as the reference library', () => {
    fc.assert(
      fc.property(messages, ({ id, body }) => {
        const secret = newWebhookSecret();
        const seconds = timestampSeconds();
        const headers = signatureHeaders([secret], { id, body, timestampSeconds: seconds });
        const reference = new Webhook(secret).sign(id, new Date(seconds * 1000), body);
        expect(headers['webhook-signature']).toBe(reference);
      }),
      { numRuns: depth(100, 1_000) },
    );
  });

  test('creates signatures that are invalid for another id, time, body, or secret', () => {
    fc.assert(
      fc.property(messages, ({ id, body }) => {
        const secret = newWebhookSecret();
        const seconds = timestampSeconds();
        const headers = signatureHeaders([secret], { id, body, timestampSeconds: seconds });
        expect([
          isAccepted(secret, `${body} `, headers),
          isAccepted(secret, body, { ...headers, 'webhook-id': `${id}0` }),
          isAccepted(secret, body, { ...headers, 'webhook-timestamp': String(seconds - 1) }),
          isAccepted(newWebhookSecret(), body, headers),
        ]).toEqual([false, false, false, false]);
      }),
      { numRuns: depth(100, 1_000) },
    );
  });
});

test('signatures with two secrets are valid for either secret and no other', () => {
  const [former, present, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const message = { id: 'an-id', body: '{}', timestampSeconds: timestampSeconds() };
  const headers = signatureHeaders([present, former], message);
  const acceptedBy = [former, present, other].map((secret) => isAccepted(secret, '{}', headers));
  expect(acceptedBy).toEqual([true, true, false]);
});

describe('newWebhookSecret', () => {
  test('returns 256 random bits in the Standard Webhooks format', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    }
  });
});
