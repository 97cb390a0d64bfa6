import { describe, expect, it } from 'vitest';
import { newTotpSecret, otpauthUrl, stepOfCode } from '#lib/features/auth/two-factor/totp.ts';
import { setClock } from '#lib/platform/clock.ts';

/** The secret of RFC 6238, appendix B, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** The last six digits of the appendix's codes for SHA-1. */
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('the step of a code', () => {
  it.each(vectors)('matches RFC 6238 at %i seconds', (seconds, code) => {
    setClock(() => seconds * 1000);

    expect(stepOfCode(secret, code)).toBe(Math.floor(seconds / 30));
  });

  it.each([
    [-60, undefined],
    [-30, 1],
    [0, 1],
    [30, 1],
    [60, undefined],
  ])('is found up to one step away: %i seconds', (seconds, step) => {
    setClock(() => (59 + seconds) * 1000);

    expect(stepOfCode(secret, '287082')).toBe(step);
  });

  it.each(['287 082', ' 287082 '])('ignores spaces: "%s"', (code) => {
    setClock(() => 59_000);

    expect(stepOfCode(secret, code)).toBe(1);
  });

  it.each(['', '28708', '2870820', '94287082', 'abcdef', '２８７０８２'])(
    'is undefined for "%s"',
    (code) => {
      setClock(() => 59_000);

      expect(stepOfCode(secret, code)).toBeUndefined();
    },
  );
});

describe('a secret', () => {
  it('has 160 random bits', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);

    expect(secrets.every((one) => /^[A-Z2-7]{32}$/.test(one))).toBe(true);
    expect(new Set(secrets).size).toBe(100);
  });

  it('is part of the URL for authenticator apps, with the address escaped', () => {
    expect(otpauthUrl(secret, 'ada+1@example.com')).toBe(
      `otpauth://totp/Social%20Leads:ada%2B1%40example.com?issuer=Social%20Leads&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
