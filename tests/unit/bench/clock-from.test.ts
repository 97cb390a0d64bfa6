import { expect, test, vi } from 'vitest';
import { clockFrom } from '#scripts/bench/calls/clock-from.ts';

test('the clock begins where it is told to, and goes on as fast as the system', () => {
  const systemsClock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  try {
    const clock = clockFrom(5_000);

    expect(clock()).toBe(5_000);

    systemsClock.mockReturnValue(1_000_250);

    expect(clock()).toBe(5_250);
  } finally {
    systemsClock.mockRestore();
  }
});

test('it may stand in for the one of the system', () => {
  const systemsClock = Date.now;
  try {
    Date.now = clockFrom(5_000);

    expect(Date.now()).toBeLessThan(1_000_000);
  } finally {
    Date.now = systemsClock;
  }
});
