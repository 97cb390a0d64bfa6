import { expect, test } from 'vitest';
import { createNetworkWorld } from '#scripts/sandbox/services/networks/network-world.ts';
import { takeUnits } from '#scripts/sandbox/services/networks/youtube/quota.ts';
import { service as youtube } from '#scripts/sandbox/services/networks/youtube/service.ts';

test('resets the quota for units and uploads at midnight Pacific time', () => {
  let at = new Date('2026-01-15T20:00:00Z');
  const context = { clock: () => at, secrets: {}, serviceUrl: () => undefined };
  const world = createNetworkWorld('YOUTUBE', youtube.tokens, context);

  expect(takeUnits(world, { units: 999_999 })).toBe(true);
  expect(takeUnits(world, { units: 2 })).toBe(false);
  expect(takeUnits(world, { units: 1 })).toBe(true);
  expect(takeUnits(world, { uploads: 10_000 })).toBe(true);
  expect(takeUnits(world, { uploads: 1 })).toBe(false);
  at = new Date('2026-01-16T07:59:59Z');
  expect(takeUnits(world, { units: 1 })).toBe(false);
  at = new Date('2026-01-16T08:00:00Z');
  expect(takeUnits(world, { units: 1, uploads: 1 })).toBe(true);
});
