import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rateLimits } from '#schemas/rate-limits.ts';
import {
  defaultSettings,
  portSetting,
  readSettings,
  settingNames,
} from '#scripts/stack/settings.ts';

// So that a developer's own `.env` plays no part.
const noFile = { ENV_FILE: devNull };

describe('the variables of .env.example', () => {
  test.each(Object.values(rateLimits).filter(({ per }) => per !== 'ip'))(
    'hold $variable as it is deployed',
    ({ variable, limit }) => {
      expect(defaultSettings()[variable]).toBe(String(limit));
    },
  );

  test.each(Object.values(rateLimits).filter(({ per }) => per === 'ip'))(
    'widen $variable, as all local work comes from one address',
    ({ variable }) => {
      expect(defaultSettings()[variable]).toBe('100000');
    },
  );

  test('name every variable that the service reads', () => {
    const source = readFileSync(new URL('../../../lib/config.ts', import.meta.url), 'utf8');
    const read = [...source.matchAll(/(?:required|optional|list|wholeNumber)\('([A-Z0-9_]+)'/g)];

    expect(read.length).toBeGreaterThan(10);
    expect(settingNames()).toEqual(expect.arrayContaining(read.map(([, name]) => name)));
  });

  test('stand there once each', () => {
    expect(new Set(settingNames()).size).toBe(settingNames().length);
  });

  test('hold as defaults unless they are commented out', () => {
    expect(defaultSettings()).toMatchObject({ PORT: '3000', STAGE: 'local' });
    expect(defaultSettings()).not.toHaveProperty('DYNAMODB_ENDPOINT');
  });
});

describe('settings', () => {
  test('of the shell go before the defaults', () => {
    expect(readSettings({ ...noFile, PORT: '3100' }).PORT).toBe('3100');
  });

  test('of the shell that are empty count as none', () => {
    expect(readSettings({ ...noFile, PORT: '' }).PORT).toBe('3000');
  });

  test('of the shell that nobody explains are left alone', () => {
    expect(readSettings({ ...noFile, HOME: '/root' })).not.toHaveProperty('HOME');
  });
});

describe('settings that mean nothing alone', () => {
  test.each([
    ['STRIPE_API_BASE', 'STRIPE_SECRET_KEY'],
    ['SQS_ENDPOINT', 'QUEUE_URL_PREFIX'],
  ])('are refused: %s without %s', (name, needed) => {
    expect(() => readSettings({ ...noFile, [name]: 'http://localhost' })).toThrow(
      `${name} is set but ${needed} is missing. Set both (see .env.example).`,
    );
  });
});

describe('settings that are not what they must be', () => {
  test.each([
    ['BCRYPT_COST', 'much', 'BCRYPT_COST must be an integer, not "much".'],
    ['PUBLIC_BASE_URL', 'here', 'PUBLIC_BASE_URL must be a URL such as http://localhost:3000'],
    ['ALLOWED_ORIGINS', 'http://a.example, b', 'ALLOWED_ORIGINS must be a URL such as'],
    ['JWT_SECRET', 'c2hvcnQ=', 'JWT_SECRET must be base64 of at least 32 bytes.'],
    ['ENCRYPTION_KEY', 'c2hvcnQ=', 'ENCRYPTION_KEY must be base64 of 32 bytes.'],
  ])('are refused before anything starts: %s=%s', (name, value, message) => {
    expect(() => readSettings({ ...noFile, [name]: value })).toThrow(message);
  });

  test.each([
    ['ALLOWED_ORIGINS', 'http://a.example, https://b.example'],
    ['ENCRYPTION_KEY', Buffer.alloc(32, 1).toString('base64')],
    ['LINKEDIN_API_VERSION', '202609'],
  ])('are taken where they are: %s=%s', (name, value) => {
    expect(readSettings({ ...noFile, [name]: value })[name]).toBe(value);
  });
});

describe('settings of a file', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
    await writeFile(join(folder, 'env'), 'PORT=3100\nSANDBOX_PORT=4100\nHOME=/nowhere\n');
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('go before the defaults, and the shell goes before them', () => {
    const settings = readSettings({ ENV_FILE: join(folder, 'env'), SANDBOX_PORT: '4200' });

    expect(settings).toMatchObject({ PORT: '3100', SANDBOX_PORT: '4200', LAMBDA_PORT: '3002' });
  });

  test('that nobody explains are left alone', () => {
    expect(readSettings({ ENV_FILE: join(folder, 'env') })).not.toHaveProperty('HOME');
  });

  test('are missed when the file is named and not there', () => {
    expect(() => readSettings({ ENV_FILE: join(folder, 'other') })).toThrow(
      /^ENV_FILE names .*other/,
    );
  });
});

describe('a port', () => {
  test('is a number', () => {
    expect(portSetting({ PORT: '3100' }, 'PORT')).toBe(3100);
  });

  test.each(['x', '-1', '65536', '3000.5', ''])(
    'is refused by its name when it is "%s"',
    (value) => {
      expect(() => portSetting({ PORT: value }, 'PORT')).toThrow(
        `PORT must be a port between 0 and 65535, not "${value}".`,
      );
    },
  );
});
