import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canRefresh,
  hasTokenEnded,
  isRefreshDue,
  refreshAt,
  tokenDue,
} from '#lib/features/social/accounts/token-holder.ts';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';

const issuedAt = Date.parse('2026-01-15T09:30:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const life = (ms: number) => ({
  tokenIssuedAt: iso(issuedAt),
  tokenExpiresAt: iso(issuedAt + ms),
});
const aheadMs = (ms: number) => issuedAt + ms - refreshAt(life(ms));

describe('token lifetime', () => {
  it('schedules a refresh in the second half of the lifetime and before expiry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 400 * dayMs }), (ms) => {
        expect(aheadMs(ms)).toBeLessThanOrEqual(ms / 2);
        expect(aheadMs(ms)).toBeGreaterThan(0);
      }),
    );
  });

  it.each([
    ['a two-hour token half an hour ahead', 2 * hourMs, 30 * minuteMs],
    ['a one-day token six hours ahead', dayMs, 6 * hourMs],
    ['a 60-day token a week ahead', 60 * dayMs, 7 * dayMs],
  ])('refreshes %s', (_, lifeMs, expected) => {
    expect(aheadMs(lifeMs)).toBe(expected);
  });

  it('never refreshes a token that does not expire', () => {
    const account = { platform: 'INSTAGRAM', tokenIssuedAt: iso(issuedAt) } as const;

    expect(isRefreshDue(account)).toBe(false);
    expect(hasTokenEnded({})).toBe(false);
    expect(tokenDue(account)).toEqual({ duePk: null, dueAt: null });
  });

  it('stays due from the refresh time on, even after expiry', () => {
    const account = { platform: 'INSTAGRAM', ...life(60 * dayMs) } as const;
    const dueAfter = (ms: number) => {
      setClock(() => issuedAt + ms);

      return isRefreshDue(account);
    };

    expect(dueAfter(53 * dayMs - 1)).toBe(false);
    expect(dueAfter(53 * dayMs)).toBe(true);
    expect(dueAfter(90 * dayMs)).toBe(true);
  });

  it('checks a token that cannot be refreshed when it expires', () => {
    const account = { platform: 'FACEBOOK', ...life(60 * dayMs) } as const;

    expect(canRefresh(account)).toBe(false);
    expect(isRefreshDue(account)).toBe(false);
    expect(tokenDue(account).dueAt).toBe(account.tokenExpiresAt);
  });
});
