import bcrypt from 'bcryptjs';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from '#lib/features/auth/passwords.ts';
import { depth } from '../../../support/depth.ts';

beforeEach(() => vi.stubEnv('BCRYPT_COST', '4'));
afterEach(() => {
  vi.restoreAllMocks();
});

const bytes = (text: string) => new TextEncoder().encode(text).length;
const anyPassword = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 });

describe('hashPassword and verifyPassword', () => {
  it('accepts only the exact password for up to 72 bytes', async () => {
    const short = anyPassword.filter((text) => bytes(text) <= 71);
    await fc.assert(
      fc.asyncProperty(short, async (password) => {
        const hash = await hashPassword(password);
        expect(await verifyPassword(password, hash)).toBe(true);
        expect(await verifyPassword(`${password}x`, hash)).toBe(false);
        expect(await verifyPassword([...password].slice(0, -1).join(''), hash)).toBe(false);
      }),
      { numRuns: depth(20, 1_000) },
    );
  });

  it('rejects a password over 72 bytes instead of truncating it', async () => {
    const long = anyPassword.map((text) => text.padEnd(73, 'x')).filter((text) => bytes(text) > 72);
    const hash = await bcrypt.hash('x'.repeat(72), 4);
    expect(await verifyPassword('x'.repeat(73), hash)).toBe(false);
    await fc.assert(
      fc.asyncProperty(long, async (password) => {
        await expect(async () => hashPassword(password)).rejects.toThrow('72 bytes');
      }),
      { numRuns: depth(1_000) },
    );
  });

  it('uses the configured bcrypt cost, 12 by default', async () => {
    const hash = vi.spyOn(bcrypt, 'hash');
    await hashPassword('a password');
    vi.stubEnv('BCRYPT_COST', '');
    await hashPassword('a password');

    expect(hash.mock.calls.map(([, cost]) => cost)).toEqual([4, 12]);
  });

  it('creates a different hash each time', async () => {
    expect(await hashPassword('a password')).not.toBe(await hashPassword('a password'));
  });
});

describe('verifyPassword for an unknown user', () => {
  it('compares with a hash of the same cost and returns false', async () => {
    await verifyPassword('a password', undefined);
    const compare = vi.spyOn(bcrypt, 'compare');

    expect(await verifyPassword('a password', undefined)).toBe(false);
    expect(compare).toHaveBeenCalledTimes(1);
    expect(bcrypt.getRounds(String(compare.mock.calls[0]?.[1]))).toBe(4);
  });
});
