// In a process of its own: the client of Secrets Manager is a mock
import { beforeEach, expect, test } from 'vitest';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import { asAppCall, networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { firstDocument, hold } from '#tests/support/fake-secrets.ts';

const app = { clientId: 'id', clientSecret: 'secret' };

beforeEach(() => {
  forgetSecrets();
  hold({ ...firstDocument, networks: { TWITTER: app } });
});

test('the app of a network comes from the secret', async () => {
  expect(await networkApp('TWITTER')).toEqual(app);
});

test('a network without an app is an outage of ours, and no word about the account', async () => {
  await expect(networkApp('TIKTOK')).rejects.toMatchObject({
    platform: 'TIKTOK',
    kind: 'unavailable',
  });
});

test.each(['tokenInvalid', 'scopeMissing', 'refused', 'notFound', 'outcomeUnknown'] as const)(
  'what a network answers to the app (%s) is an outage of ours too',
  async (kind) => {
    const failure = new NetworkFailure('TWITTER', kind, { message: 'No', code: '1' });

    await expect(asAppCall(Promise.reject(failure))).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'No',
      code: '1',
    });
  },
);

test('what may pass later, and what is no answer of a network, stay as they are', async () => {
  const limited = new NetworkFailure('TWITTER', 'rateLimited', { message: '', retryAfterMs: 5 });
  const defect = new Error('A defect');

  await expect(asAppCall(Promise.reject(limited))).rejects.toBe(limited);
  await expect(asAppCall(Promise.reject(defect))).rejects.toBe(defect);
  expect(await asAppCall(Promise.resolve(1))).toBe(1);
});
