import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayMs,
  hourMs,
  minuteMs,
  now,
  presentBegan,
  setClock,
  timestamp,
} from '#lib/platform/clock.ts';
import { moveClockWhenRead } from '#tests/support/time.ts';

test('timestamps from the same moment differ exactly by their offset', () => {
  moveClockWhenRead();

  const nowMs = now();

  expect(Date.parse(timestamp(dayMs, nowMs)) - Date.parse(timestamp(0, nowMs))).toBe(dayMs);
  expect(timestamp()).not.toBe(timestamp());
});

test('presentBegan returns the start of the period, also in its last millisecond', () => {
  const length = fc.constantFrom(minuteMs, hourMs, dayMs);
  fc.assert(
    fc.property(length, fc.nat(1_000_000), fc.nat(dayMs - 1), (lengthMs, count, offset) => {
      const beganMs = count * lengthMs;
      for (const intoMs of [0, offset % lengthMs, lengthMs - 1]) {
        let readings = 0;
        setClock(() => beganMs + intoMs + readings++);

        expect(presentBegan(lengthMs)).toBe(beganMs);
      }
    }),
  );
});
