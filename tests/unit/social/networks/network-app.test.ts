import { beforeEach, expect, test } from 'vitest';
import { forgetSecrets } from '#lib/secrets/secrets.ts';
import { networkApp } from '#lib/social/networks/network-app.ts';
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
