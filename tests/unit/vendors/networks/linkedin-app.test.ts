import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findLinkedinWarning } from '#lib/features/health/services/linkedin-warning.ts';
import { setClock } from '#lib/platform/clock.ts';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import { requireAppId } from '#lib/vendors/networks/linkedin/app-id.ts';
import { firstDocument, hold, useFakeSecrets } from '#tests/support/fake-secrets.ts';

const app = { clientId: '78abcdefgh', clientSecret: 'secret' };

function holdApp(LINKEDIN: object | undefined): void {
  forgetSecrets();
  hold({ ...firstDocument, networks: LINKEDIN ? { LINKEDIN } : {} });
}

useFakeSecrets();
beforeEach(() => holdApp({ ...app, appId: '86400001' }));
describe('the number of the LinkedIn app', () => {
  test('is read from the secret', async () => {
    expect(await requireAppId()).toBe('86400001');
  });

  test.each([
    ['missing', app],
    ['the client id', { ...app, appId: app.clientId }],
  ])('is a configuration error when it is %s', async (_what, wrong) => {
    holdApp(wrong);

    await expect(requireAppId()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('networks.LINKEDIN.appId'),
    });
    expect(await findLinkedinWarning()).toContain('networks.LINKEDIN.appId');
  });

  test('is not needed without an app', async () => {
    setClock(() => Date.parse('2027-01-01'));
    holdApp(undefined);

    expect(await findLinkedinWarning()).toBeUndefined();
  });
});

describe('the API version', () => {
  test.each([
    ['2027-06-15T23:59:59Z', undefined],
    [
      '2027-06-16T00:00:00Z',
      'LinkedIn ends API version 202608 on 2027-08-15: raise LINKEDIN_API_VERSION',
    ],
    ['2028-01-01T00:00:00Z', expect.stringContaining('202608')],
  ])('is reported from 60 days before its end: at %s', async (time, warning) => {
    vi.stubEnv('LINKEDIN_API_VERSION', '202608');
    setClock(() => Date.parse(time));

    expect(await findLinkedinWarning()).toEqual(warning);
  });
});
