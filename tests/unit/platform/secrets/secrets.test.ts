import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { getFreshSecrets, getSecrets } from '#lib/platform/secrets/secrets.ts';
import {
  firstDocument,
  hold,
  newKey,
  reads,
  secretsManager,
  useFakeSecrets,
} from '#tests/support/fake-secrets.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const changed = { ...firstDocument, stripeSecretKey: 'sk_test_changed' };

useFakeSecrets();
beforeEach(() => {
  vi.spyOn(logger, 'error').mockClear().mockReturnValue();
  setClock(() => startMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('getSecrets', () => {
  it('reads once for a hundred concurrent requests and caches for five minutes', async () => {
    await Promise.all(Array.from({ length: 100 }, getSecrets));
    setClock(() => startMs + 5 * minuteMs - 1);
    await getSecrets();

    expect(reads()).toBe(1);
  });

  it('reads changed secrets after five minutes without a restart', async () => {
    await getSecrets();
    hold(changed);
    setClock(() => startMs + 5 * minuteMs);

    expect((await getSecrets()).stripeSecretKey).toBe('sk_test_changed');
  });

  it('keeps using cached secrets while Secrets Manager is down', async () => {
    await getSecrets();
    secretsManager.on(GetSecretValueCommand).rejects(new Error('down'));
    setClock(() => startMs + 60 * minuteMs);

    expect((await getSecrets()).stripeSecretKey).toBe('sk_test_unit');
  });

  it('fails without cached secrets and recovers as soon as they can be read', async () => {
    secretsManager.on(GetSecretValueCommand).rejects(new Error('down'));
    await expect(getSecrets()).rejects.toThrow('down');
    hold(firstDocument);

    expect((await getSecrets()).stripeSecretKey).toBe('sk_test_unit');
  });

  it('refreshes for an unknown key at most every ten seconds', async () => {
    await getSecrets();
    hold(changed);
    setClock(() => startMs + 10 * secondMs - 1);
    expect((await getFreshSecrets()).stripeSecretKey).toBe('sk_test_unit');
    setClock(() => startMs + 10 * secondMs);
    expect((await getFreshSecrets()).stripeSecretKey).toBe('sk_test_changed');
  });

  it('ignores unknown fields', async () => {
    hold({ ...firstDocument, later: 'field' });

    expect(await getSecrets()).not.toHaveProperty('later');
  });

  const malformed: ReadonlyArray<readonly [string, unknown]> = [
    ['invalid JSON', 'planted-s3cret'],
    ['null', 'null'],
    ['no signing key', { ...firstDocument, jwtKeys: [] }],
    [
      'a signing key of 31 bytes',
      {
        ...firstDocument,
        jwtKeys: [{ kid: 'k', secret: Buffer.alloc(31, 'p').toString('base64') }],
      },
    ],
    [
      'an encryption key of 33 bytes',
      {
        ...firstDocument,
        encryptionKeys: [{ id: 'k', key: Buffer.alloc(33, 'p').toString('base64') }],
      },
    ],
    [
      'a key that is not base64',
      { ...firstDocument, encryptionKeys: [{ id: 'k', key: '!'.repeat(44) }] },
    ],
    ['a key without an id', { ...firstDocument, jwtKeys: [{ kid: '', secret: newKey() }] }],
    ['no Stripe key', { ...firstDocument, stripeSecretKey: '' }],
  ];

  it.each(malformed)('rejects secrets with %s without leaking them', async (_, document) => {
    hold(document);
    const failure: unknown = await getSecrets().catch((reason: unknown) => reason);

    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toMatch(/planted|pppp|cHBw|sk_test/);
  });

  it.each(malformed)('keeps using cached secrets while they have %s', async (_, document) => {
    await getSecrets();
    hold(document);
    setClock(() => startMs + 60 * minuteMs);

    expect((await getSecrets()).stripeSecretKey).toBe('sk_test_unit');
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      'The secret cannot be read',
      expect.objectContaining({ SecretUnreadable: 1, isCached: true }),
    );
  });

  it('keeps using cached secrets for unknown key ids, and tries again after ten seconds', async () => {
    await getSecrets();
    hold('planted-s3cret');
    const found: string[] = [];
    for (const seconds of [10, 11, 19, 20]) {
      setClock(() => startMs + seconds * secondMs);
      found.push((await getFreshSecrets()).stripeSecretKey);
    }

    expect(found).toEqual(Array(4).fill('sk_test_unit'));
    expect(reads()).toBe(3);
  });

  it('raises an alarm if the first read fails, before anything is cached', async () => {
    const error = vi.mocked(logger.error);
    hold({ ...firstDocument, stripeSecretKey: '' });
    await expect(getSecrets()).rejects.toThrow();

    expect(error).toHaveBeenCalledExactlyOnceWith(
      'The secret cannot be read',
      expect.objectContaining({ SecretUnreadable: 1, isCached: false }),
    );
  });
});
