import { expect, test } from 'vitest';
import { createNetworkWorld } from '../src/services/networks/network-world.ts';
import { takeUnits } from '../src/services/networks/youtube/quota.ts';
import { service as youtube } from '../src/services/networks/youtube/service.ts';

function newWorld(clock: () => Date) {
  return createNetworkWorld('YOUTUBE', youtube.tokens, {
    clock,
    secrets: {},
    googleClientId: '',
    serviceUrl: () => undefined,
  });
}

test("YouTube's settings change the quota of a project", () => {
  const world = newWorld(() => new Date());
  youtube.settings?.apply(world, { dailyUnits: 20_000 });

  expect(takeUnits(world, { units: 20_000, uploads: 100 })).toBe(true);
  expect(takeUnits(world, { units: 1 })).toBe(false);
});

test('YouTube resets the quota for units and uploads at midnight Pacific time', () => {
  let at = new Date('2026-01-15T20:00:00Z');
  const world = newWorld(() => at);

  expect(takeUnits(world, { units: 9_999 })).toBe(true);
  expect(takeUnits(world, { units: 2 })).toBe(false);
  expect(takeUnits(world, { units: 1 })).toBe(true);
  expect(takeUnits(world, { uploads: 100 })).toBe(true);
  expect(takeUnits(world, { uploads: 1 })).toBe(false);
  at = new Date('2026-01-16T07:59:59Z');
  expect(takeUnits(world, { units: 1 })).toBe(false);
  at = new Date('2026-01-16T08:00:00Z');
  expect(takeUnits(world, { units: 1, uploads: 1 })).toBe(true);
});
