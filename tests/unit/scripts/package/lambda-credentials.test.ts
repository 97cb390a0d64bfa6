import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '#scripts/build/package/bundled/lambda-credentials.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the credentials of a bundled function', () => {
  it('are those that Lambda gives', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'token');

    await expect(defaultProvider()()).resolves.toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  it('are missed by name where it gives none', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');

    await expect(defaultProvider()()).rejects.toThrow('AWS_SECRET_ACCESS_KEY is missing');
  });
});
