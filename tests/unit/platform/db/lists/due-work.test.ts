import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueShards } from '#lib/platform/db/keys/system.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { newId } from '#lib/platform/ids.ts';

const moment = '2035-01-15T09:30:00.000Z';

test('dueIn returns the same keys for the same item and time', () => {
  fc.assert(
    fc.property(fc.constant(null).map(newId), (id) => {
      expect(dueIn('PUBLISH', moment, id)).toEqual(dueIn('PUBLISH', moment, id));
    }),
  );
});

test.each([
  ['with ids', () => newId()],
  ['without ids', () => undefined],
])('dueIn spreads items over all shards, %s', (_, idOf) => {
  const shards = Array.from({ length: 2_000 }, () => dueIn('PUBLISH', moment, idOf()).duePk);

  expect(new Set(shards).size).toBe(dueShards);
});
