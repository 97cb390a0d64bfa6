import { describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '#scripts/build/package/bundled/lambda-credentials.ts';

describe('defaultProvider', () => {
  it('returns the credentials from the Lambda environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'token');

    await expect(defaultProvider()()).resolves.toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  it('names the missing variable', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');

    await expect(defaultProvider()()).rejects.toThrow('AWS_SECRET_ACCESS_KEY is missing');
  });
});
