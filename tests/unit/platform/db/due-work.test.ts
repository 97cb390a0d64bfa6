import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { newId } from '#lib/platform/ids.ts';

const moment = '2035-01-15T09:30:00.000Z';

test('an item that is put in again for the same time stands where it stood', () => {
  fc.assert(
    fc.property(fc.constant(null).map(newId), (id) => {
      expect(dueIn('PUBLISH', moment, id)).toEqual(dueIn('PUBLISH', moment, id));
    }),
  );
});

test.each([
  ['with their ids', () => newId()],
  ['without', () => undefined],
])('items are spread over all shards, %s', (_, idOf) => {
  const shards = Array.from({ length: 200 }, () => dueIn('PUBLISH', moment, idOf()).duePk);

  expect(new Set(shards).size).toBe(4);
});
