import { afterEach, describe, expect, it, vi } from 'vitest';
import { config, wholeNumber } from '#lib/platform/config.ts';

afterEach(() => vi.unstubAllEnvs());

describe('config', () => {
  it.each([
    ['STAGE', () => config.stage],
    ['TABLE_NAME', () => config.tableName],
    ['SECRET_ID', () => config.secretId],
    ['QUEUE_URL_PREFIX', () => config.queueUrlPrefix],
    ['PUBLIC_BASE_URL', () => config.publicBaseUrl],
    ['MAIL_FROM', () => config.mailFrom],
  ])('throws an error that names %s when it is missing or empty', (name, read) => {
    for (const value of [undefined, '']) {
      vi.stubEnv(name, value);
      expect(read).toThrow(`The environment variable ${name} is missing: see .env.example`);
    }
  });

  it('splits lists at commas and drops empty entries', () => {
    vi.stubEnv('ALLOWED_ORIGINS', ' https://one.example ,,https://two.example, ');

    expect(config.allowedOrigins).toEqual(['https://one.example', 'https://two.example']);
  });

  it('uses the default of a number that is not set', () => {
    vi.stubEnv('BCRYPT_COST', '');
    expect(config.bcryptCost).toBe(12);
    vi.stubEnv('BCRYPT_COST', '10');
    expect(config.bcryptCost).toBe(10);
  });

  it.each(['-1', '1.5', 'ten', '1e3', ' 5', '0x10', 'Infinity'])(
    'rejects %s as a whole number',
    (value) => {
      vi.stubEnv('SOME_LIMIT', value);

      expect(() => wholeNumber('SOME_LIMIT', 1)).toThrow('SOME_LIMIT must be a whole number');
    },
  );

  it('accepts 0 instead of treating it as missing', () => {
    vi.stubEnv('SOME_LIMIT', '0');

    expect(wholeNumber('SOME_LIMIT', 7)).toBe(0);
  });
});
