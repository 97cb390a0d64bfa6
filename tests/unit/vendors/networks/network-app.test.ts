import { expect, test } from 'vitest';
import { asAppCall, networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { firstDocument, useFakeSecrets } from '#tests/support/fake-secrets.ts';

const app = { clientId: 'id', clientSecret: 'secret' };

useFakeSecrets({ ...firstDocument, networks: { TWITTER: app } });

test('networkApp reads the app of a network from the secret', async () => {
  expect(await networkApp('TWITTER')).toEqual(app);
});

test('networkApp returns unavailable when the network has no app', async () => {
  await expect(networkApp('TIKTOK')).rejects.toMatchObject({
    platform: 'TIKTOK',
    kind: 'unavailable',
  });
});

test.each(['tokenInvalid', 'scopeMissing', 'refused', 'notFound', 'outcomeUnknown'] as const)(
  'asAppCall turns the error %s into unavailable',
  async (kind) => {
    const failure = new NetworkError('TWITTER', kind, { message: 'No', code: '1' });

    await expect(asAppCall(Promise.reject(failure))).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'No',
      code: '1',
    });
  },
);

test('asAppCall passes on results, rate limits, and errors from elsewhere', async () => {
  const limited = new NetworkError('TWITTER', 'rateLimited', { message: '', retryAfterMs: 5 });
  const defect = new Error('A defect');

  await expect(asAppCall(Promise.reject(limited))).rejects.toBe(limited);
  await expect(asAppCall(Promise.reject(defect))).rejects.toBe(defect);
  expect(await asAppCall(Promise.resolve(1))).toBe(1);
});
