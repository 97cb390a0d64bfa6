// Runs in a separate process: the service is loaded several times, like separate instances
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { epochSeconds, minuteMs } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { consume, planClear } from '#lib/platform/rate-limits/rate-limiter.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { storedItems, storeItem } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

beforeEach(stopClock);
afterEach(() => {
  vi.resetModules();
});

const limit = 5;
const windowMs = 15 * minuteMs;

function partition(subject: string): string {
  return keys.rateWindow('loginAddress', hashToken(subject), 0).pk;
}

describe('a rate limit', () => {
  it('allows exactly its limit of 200 concurrent requests without affecting others', async () => {
    const subject = freshEmail();
    const [states, other] = await Promise.all([
      Promise.all(Array.from({ length: 200 }, () => consume('loginAddress', subject))),
      consume('loginAddress', freshEmail()),
    ]);

    expect(states.filter(({ allowed }) => allowed)).toHaveLength(limit);
    expect(
      states
        .filter(({ allowed }) => allowed)
        .map(({ remaining }) => remaining)
        .sort(),
    ).toEqual([0, 1, 2, 3, 4]);
    expect(other).toMatchObject({ allowed: true, remaining: limit - 1 });
  });

  it('is exact across independent instances', async () => {
    const subject = freshEmail();
    const instances = await Promise.all(
      [1, 2, 3].map(async () => {
        vi.resetModules();
        const [limiter, clock] = await Promise.all([
          import('#lib/platform/rate-limits/rate-limiter.ts'),
          import('#lib/platform/clock.ts'),
        ]);
        const time = epochSeconds() * 1000;
        clock.setClock(() => time);

        return limiter;
      }),
    );
    const states = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        instances[index % 3]?.consume('loginAddress', subject),
      ),
    );

    expect(states.filter((state) => state?.allowed)).toHaveLength(limit);
  });

  it('resets with its window, not a second earlier', async () => {
    const subject = freshEmail();
    const take = () => consume('loginAddress', subject);
    passTime(windowMs - 1000);
    const last = await Promise.all(Array.from({ length: limit }, take));
    expect(last.every(({ allowed, resetSeconds }) => allowed && resetSeconds === 1)).toBe(true);
    expect((await take()).allowed).toBe(false);
    passTime(999);
    expect((await take()).allowed).toBe(false);
    passTime(1);
    const first = await take();

    expect(first).toMatchObject({ allowed: true, remaining: limit - 1, resetSeconds: 900 });
  });

  it('allows a request after its Retry-After time, 100 times of 100', async () => {
    for (let moment = 0; moment < 100; moment += 1) {
      stopClock();
      passTime((windowMs / 100) * moment);
      const subject = freshEmail();
      await Promise.all(Array.from({ length: limit }, () => consume('loginAddress', subject)));
      const refused = await consume('loginAddress', subject);
      expect(refused.allowed).toBe(false);
      passTime(refused.resetSeconds * 1000);
      expect((await consume('loginAddress', subject)).allowed).toBe(true);
    }
  });

  it('releases requests that should not count', async () => {
    const subject = freshEmail();
    for (let time = 0; time < 10; time += 1) {
      const state = await consume('loginAddress', subject);
      expect(state).toMatchObject({ allowed: true, remaining: limit - 1 });
      await state.giveBack();
    }
  });

  it('needs no DynamoDB calls for some seconds after rejecting a subject', async () => {
    const subject = freshEmail();
    const take = () => consume('passwordResetAddress', subject);
    await Promise.all(Array.from({ length: limit + 1 }, take));
    const { pk } = keys.rateWindow('passwordResetAddress', hashToken(subject), 0);
    const before = await storedItems(pk);
    await storeItem({ pk, sk: String(before[0]?.sk), used: 0 });

    expect((await take()).allowed).toBe(false);
    passTime(5_000);
    expect((await take()).allowed).toBe(true);
  });

  it('allows requests immediately after its counter is cleared', async () => {
    const subject = freshEmail();
    await Promise.all(Array.from({ length: limit + 1 }, () => consume('loginAddress', subject)));
    await write(planClear('loginAddress', subject));

    expect(await consume('loginAddress', subject)).toMatchObject({
      allowed: true,
      remaining: limit - 1,
    });
  });

  it('stores no address in plaintext', async () => {
    const subject = freshEmail('planted');
    await consume('loginAddress', subject);

    expect(JSON.stringify(await storedItems('RATE#'))).not.toContain(subject);
  });

  it('lets its counters expire', async () => {
    const subject = freshEmail();
    await consume('loginAddress', subject);
    const [counter] = await storedItems(partition(subject));

    expect(counter?.expiresAtSeconds).toBe(epochSeconds() + 2 * 900);
  });
});
