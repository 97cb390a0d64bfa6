import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  canRefresh,
  hasEnded,
  isRefreshDue,
  refreshAt,
  tokenDue,
} from '#lib/features/social/tokens/token-life.ts';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';

const issuedAt = Date.parse('2026-01-15T09:30:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const life = (ms: number) => ({
  tokenIssuedAt: iso(issuedAt),
  tokenExpiresAt: iso(issuedAt + ms),
});
const aheadMs = (ms: number) => issuedAt + ms - refreshAt(life(ms));

afterEach(() => setClock());

describe('a token', () => {
  it('is never refreshed further ahead than half of its life, and always before its end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 400 * dayMs }), (ms) => {
        expect(aheadMs(ms)).toBeLessThanOrEqual(ms / 2);
        expect(aheadMs(ms)).toBeGreaterThan(0);
      }),
    );
  });

  it.each([
    ['of two hours half an hour ahead', 2 * hourMs, 30 * minuteMs],
    ['of a day six hours ahead', dayMs, 6 * hourMs],
    ['of sixty days a week ahead', 60 * dayMs, 7 * dayMs],
  ])('%s', (_, lifeMs, expected) => {
    expect(aheadMs(lifeMs)).toBe(expected);
  });

  it('that does not end is never due', () => {
    const account = { platform: 'INSTAGRAM', tokenIssuedAt: iso(issuedAt) } as const;

    expect(isRefreshDue(account)).toBe(false);
    expect(hasEnded({})).toBe(false);
    expect(tokenDue(account)).toEqual({ duePk: null, dueAt: null });
  });

  it('is due from its time on, and after its end too', () => {
    const account = { platform: 'INSTAGRAM', ...life(60 * dayMs) } as const;
    const dueAfter = (ms: number) => {
      setClock(() => issuedAt + ms);

      return isRefreshDue(account);
    };

    expect(dueAfter(53 * dayMs - 1)).toBe(false);
    expect(dueAfter(53 * dayMs)).toBe(true);
    expect(dueAfter(90 * dayMs)).toBe(true);
  });

  it('that nothing can renew is looked at when it has ended', () => {
    const account = { platform: 'FACEBOOK', ...life(60 * dayMs) } as const;

    expect(canRefresh(account)).toBe(false);
    expect(isRefreshDue(account)).toBe(false);
    expect(tokenDue(account).dueAt).toBe(account.tokenExpiresAt);
  });
});
