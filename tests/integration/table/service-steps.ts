import * as fc from 'fast-check';
import type { Condition } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { partitionKey, sortKey } from './values.ts';

/** Loads the service's data layer, after its table's address was set. */
export async function loadDataLayer() {
  const [read, write, conditions, changes, many, list, sharded, due] = await Promise.all([
    import('#lib/platform/db/read.ts'),
    import('#lib/platform/db/write.ts'),
    import('#lib/platform/db/conditions.ts'),
    import('#lib/platform/db/changes-something.ts'),
    import('#lib/platform/db/remove-many.ts'),
    import('#lib/platform/db/lists/list.ts'),
    import('#lib/platform/db/lists/sharded-list.ts'),
    import('#lib/platform/db/lists/due-work.ts'),
  ]);

  return { ...read, ...write, ...conditions, ...changes, ...many, ...list, ...sharded, ...due };
}

type DataLayer = Awaited<ReturnType<typeof loadDataLayer>>;

/** An operation of the service on its table. */
export type Step = () => Promise<unknown>;

const key: fc.Arbitrary<Key> = fc.record({ pk: partitionKey, sk: sortKey });
const keys = fc.array(key, { minLength: 1, maxLength: 6 });
const value = fc.oneof(
  fc.constantFrom<unknown>('a', 'b', '', '😀', 0, 1, -2.5, true, ['a'], { a: 1 }),
  fc.integer().map((integer) => integer / 1_000),
);
const organizationId = fc.constantFrom('o', '😀');
const id = fc.uuid({ version: 7 });
const limit = fc.integer({ min: 1, max: 5 });
const attributes = fc
  .tuple(
    fc.record(
      {
        a: value,
        m: fc.record({ a: value }),
        n: fc.integer(),
        expiresAtSeconds: fc.constantFrom(1, 99_999_999_999),
      },
      { requiredKeys: [] },
    ),
    fc.option(
      fc.record({
        organizationId,
        list: fc.nat(3).map((shard) => `lead#${shard}`),
        rank: fc.nat(3),
        id,
      }),
    ),
    fc.option(fc.record({ duePk: fc.constantFrom('DUE#0', 'DUE#1'), dueAt: id })),
  )
  .map((parts) => Object.assign({}, ...parts));
const changes = fc.record({
  set: fc.record(
    { a: fc.option(value), 'm.a': value, duePk: fc.constantFrom(null, 'DUE#1') },
    { requiredKeys: [] },
  ),
  add: fc.record({ n: fc.integer({ min: -5, max: 5 }) }, { requiredKeys: [] }),
});
const range = fc
  .tuple(partitionKey, fc.constantFrom('a', 'b'), fc.constantFrom('c', 'd', '\uffff', '\u{10ffff}'))
  .map(([pk, from, to]) => ({ pk, from, to }));

async function readAll(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _page of pages) {
    // Reading is enough, because the tables are compared afterwards.
  }
}

/** All operations of the service on its table. Errors for the callers are expected. */
export function serviceSteps(db: DataLayer): fc.Arbitrary<Step> {
  const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { depthSize: 'small', maxDepth: 2 },
      value.map((one) => db.equals('a', one)),
      value.map((one) => db.differs('m.a', one)),
      value.map((one) => db.isNotYet({ a: one, n: null })),
      fc.integer().map((one) => db.below('n', one)),
      fc.constantFrom('a', 'B').map((one) => db.above('a', one)),
      fc.constantFrom(
        db.belowAttribute('n', 'rank'),
        db.present('m.a'),
        db.absent('a'),
        db.unchanged('a', undefined),
      ),
      fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((all) => db.either(...all)),
      fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((all) => db.allOf(...all)),
    ),
  })).condition;
  const when = fc.record({ when: condition }, { requiredKeys: [] });
  const write: fc.Arbitrary<Write> = fc.oneof(
    fc.tuple(key, attributes).map(([one, item]) => db.create(one, item)),
    fc.tuple(key, attributes).map(([one, item]) => db.put(one, item)),
    fc
      .tuple(key, changes, when, fc.boolean())
      .map(([one, change, more, orCreate]) => db.change(one, { ...change, ...more, orCreate })),
    fc.tuple(key, when).map(([one, more]) => db.remove(one, more)),
    fc.tuple(key, when).map(([one, more]) => db.ensure(one, more)),
    fc
      .tuple(key, condition)
      .map(([one, other]) => db.ensureNot(one, other, () => new Error('It matches'))),
    key.map((one) => db.discard(one)),
  );
  const writes = fc.uniqueArray(write, {
    minLength: 1,
    maxLength: 4,
    selector: ({ key: { pk, sk } }) => `${pk}/${sk}`,
  });
  const options = fc.record(
    {
      newestFirst: fc.boolean(),
      limit,
      after: sortKey,
      keysOnly: fc.boolean(),
      eventually: fc.boolean(),
      attributes: fc.constant(['a', 'n']),
      expiredToo: fc.boolean(),
      only: condition,
    },
    { requiredKeys: [] },
  );
  const list = organizationId.map((organization) => ({
    organizationId: organization,
    kind: 'lead' as const,
  }));

  return fc.oneof(
    {
      weight: 6,
      arbitrary: write.map(
        (one): Step =>
          () =>
            db.write(one),
      ),
    },
    {
      weight: 4,
      arbitrary: writes.map(
        (all): Step =>
          () =>
            db.write(...all),
      ),
    },
    {
      weight: 1,
      arbitrary: keys.map(
        (all): Step =>
          () =>
            db.removeMany(all),
      ),
    },
    {
      weight: 1,
      arbitrary: key.map(
        (one): Step =>
          () =>
            db.get(one),
      ),
    },
    {
      weight: 2,
      arbitrary: keys.map(
        (all): Step =>
          () =>
            db.getMany(all),
      ),
    },
    {
      weight: 4,
      arbitrary: fc.tuple(range, options).map(
        ([one, more]): Step =>
          () =>
            db.query(one, more),
      ),
    },
    fc.tuple(range, limit).map(
      ([one, most]): Step =>
        () =>
          readAll(db.queryPages(one, { limit: most })),
    ),
    fc.tuple(range, limit, fc.integer({ min: 1, max: 3 })).map(
      ([one, most, page]): Step =>
        () =>
          db.listPage(one, { limit: most, page }, async () => 0),
    ),
    list.map(
      (one): Step =>
        () =>
          db.allRowsOf(one),
    ),
    fc.tuple(list, limit, fc.record({ before: id, from: id }, { requiredKeys: [] })).map(
      ([one, most, ids]): Step =>
        () =>
          readAll(db.rowsOf(one, most, ids)),
    ),
    limit.map(
      (most): Step =>
        () =>
          db.findDueItems('DUE', most, '8'),
    ),
  );
}
