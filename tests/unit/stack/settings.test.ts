import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rateLimits } from '#schemas/rate-limits.ts';
import {
  defaultSettings,
  portSetting,
  readSettings,
  settingNames,
} from '#scripts/stack/settings.ts';

describe('the variables of .env.example', () => {
  test.each(Object.values(rateLimits).map(({ variable }) => variable))('name %s', (variable) => {
    expect(settingNames()).toContain(variable);
  });

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
    expect(readSettings({ PORT: '3100' }).PORT).toBe('3100');
  });

  test('of the shell that are empty count as none', () => {
    expect(readSettings({ PORT: '' }).PORT).toBe('3000');
  });

  test('of the shell that nobody explains are left alone', () => {
    expect(readSettings({ HOME: '/root' })).not.toHaveProperty('HOME');
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
