import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RateLimitPolicy, rateLimits } from '#schemas/rate-limits.ts';
import {
  defaultSettings,
  portSetting,
  readSettings,
  settingNames,
} from '#scripts/dev/stack/settings.ts';

// Keeps a developer's `.env` file out of the tests.
const noFile = { ENV_FILE: devNull };

/** Limits of every request, and limits per IP address. */
function isRaised({ per, variable }: RateLimitPolicy): boolean {
  return per === 'ip' || variable.startsWith('REQUEST_LIMIT_');
}

describe('defaultSettings and settingNames', () => {
  test.each(Object.values(rateLimits).filter((limit) => !isRaised(limit)))(
    'sets $variable to the deployed limit',
    ({ variable, limit }) => {
      expect(defaultSettings()[variable]).toBe(String(limit));
    },
  );

  test.each(Object.values(rateLimits).filter(isRaised))(
    'raises $variable, because local requests come from one address and few users',
    ({ variable }) => {
      expect(defaultSettings()[variable]).toBe('100000');
    },
  );

  test('includes every variable that the service reads', () => {
    const source = readFileSync(
      new URL('../../../../lib/platform/config.ts', import.meta.url),
      'utf8',
    );
    const read = [...source.matchAll(/(?:required|optional|list|wholeNumber)\('([A-Z0-9_]+)'/g)];

    expect(read.length).toBeGreaterThan(10);
    expect(settingNames()).toEqual(expect.arrayContaining(read.map(([, name]) => name)));
  });

  test('lists every variable once', () => {
    expect(new Set(settingNames()).size).toBe(settingNames().length);
  });

  test('uses variables as defaults unless they are commented out', () => {
    expect(defaultSettings()).toMatchObject({ PORT: '3000', STAGE: 'local' });
    expect(defaultSettings()).not.toHaveProperty('DYNAMODB_ENDPOINT');
  });
});

describe('readSettings with shell variables', () => {
  test('prefers shell variables over the defaults', () => {
    expect(readSettings({ ...noFile, PORT: '3100' }).PORT).toBe('3100');
  });

  test('treats empty shell variables as not set', () => {
    expect(readSettings({ ...noFile, PORT: '' }).PORT).toBe('3000');
  });

  test('ignores unknown shell variables', () => {
    expect(readSettings({ ...noFile, HOME: '/root' })).not.toHaveProperty('HOME');
  });
});

describe('readSettings with incomplete pairs', () => {
  test.each([
    ['STRIPE_API_BASE', 'STRIPE_SECRET_KEY'],
    ['SQS_ENDPOINT', 'QUEUE_URL_PREFIX'],
  ])('rejects %s without %s', (name, needed) => {
    expect(() => readSettings({ ...noFile, [name]: 'http://localhost' })).toThrow(
      `${name} is set but ${needed} is missing. Set both (see .env.example).`,
    );
  });
});

describe('readSettings validation', () => {
  test.each([
    ['BCRYPT_COST', 'much', 'BCRYPT_COST must be an integer, not "much".'],
    ['PUBLIC_BASE_URL', 'here', 'PUBLIC_BASE_URL must be a URL such as http://localhost:3000'],
    ['ALLOWED_ORIGINS', 'http://a.example, b', 'ALLOWED_ORIGINS must be a URL such as'],
    ['JWT_SECRET', 'c2hvcnQ=', 'JWT_SECRET must be base64 of at least 32 bytes.'],
    ['ENCRYPTION_KEY', 'c2hvcnQ=', 'ENCRYPTION_KEY must be base64 of 32 bytes.'],
  ])('rejects %s=%s', (name, value, message) => {
    expect(() => readSettings({ ...noFile, [name]: value })).toThrow(message);
  });

  test.each([
    ['ALLOWED_ORIGINS', 'http://a.example, https://b.example'],
    ['ENCRYPTION_KEY', Buffer.alloc(32, 1).toString('base64')],
    ['LINKEDIN_API_VERSION', '202609'],
  ])('accepts %s=%s', (name, value) => {
    expect(readSettings({ ...noFile, [name]: value })[name]).toBe(value);
  });
});

describe('readSettings with a file', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
    await writeFile(join(folder, 'env'), 'PORT=3100\nSANDBOX_PORT=4100\nHOME=/nowhere\n');
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('prefers the shell over the file and the file over the defaults', () => {
    const settings = readSettings({ ENV_FILE: join(folder, 'env'), SANDBOX_PORT: '4200' });

    expect(settings).toMatchObject({ PORT: '3100', SANDBOX_PORT: '4200', LAMBDA_PORT: '3002' });
  });

  test('ignores unknown variables in the file', () => {
    expect(readSettings({ ENV_FILE: join(folder, 'env') })).not.toHaveProperty('HOME');
  });

  test('throws when the file does not exist', () => {
    expect(() => readSettings({ ENV_FILE: join(folder, 'other') })).toThrow(
      /^ENV_FILE names .*other/,
    );
  });
});

describe('portSetting', () => {
  test('returns a number', () => {
    expect(portSetting({ PORT: '3100' }, 'PORT')).toBe(3100);
  });

  test.each(['x', '-1', '65536', '3000.5', ''])(
    'rejects "%s" with the name of the setting',
    (value) => {
      expect(() => portSetting({ PORT: value }, 'PORT')).toThrow(
        `PORT must be a port between 0 and 65535, not "${value}".`,
      );
    },
  );
});
