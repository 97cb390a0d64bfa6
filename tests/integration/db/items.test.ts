import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { epochSeconds, now, setClock } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { dueShards } from '#lib/platform/db/keys/system.ts';
import { findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import {
  change,
  create,
  discard,
  ensure,
  ensureNot,
  put,
  remove,
  write,
} from '#lib/platform/db/write.ts';
import { depth } from '#tests/support/depth.ts';
import { startLater } from '#tests/support/own-table.ts';
import { storedItems, storeItem, storeItems } from '#tests/support/table.ts';

function freshKey(pk = `TEST#${randomUUID()}`): Key {
  return { pk, sk: randomUUID() };
}

describe('an expired item that is still stored', () => {
  it('is invisible to every read', async () => {
    const key = freshKey();
    await storeItem({ ...key, expiresAtSeconds: epochSeconds() });

    expect(await get(key)).toBeUndefined();
    expect(await getMany([key])).toEqual([undefined]);
    expect(await query({ pk: key.pk, from: ' ', to: '\uffff' })).toEqual([]);
  });

  it('is visible until its last second', async () => {
    const key = freshKey();
    const nowMs = Date.now();
    setClock(() => nowMs);
    await storeItem({ ...key, expiresAtSeconds: epochSeconds(1) });

    expect(await get(key)).toBeDefined();
    setClock(() => nowMs + 1000);
    expect(await get(key)).toBeUndefined();
  });

  it('does not block a new item', async () => {
    const key = freshKey();
    await storeItem({ ...key, old: true, expiresAtSeconds: epochSeconds(-1) });
    await write(create(key, { fresh: true }));

    expect(await get(key)).toMatchObject({ fresh: true });
    expect(await get(key)).not.toHaveProperty('old');
  });
});

describe('an item in the second it expires', () => {
  const late = async () => {
    const nowMs = Date.now();
    setClock(() => nowMs);
    const key = freshKey();
    await storeItem({ ...key, name: 'late', expiresAtSeconds: epochSeconds() });

    return key;
  };
  const told = (stored: object | undefined) => new Error(stored ? 'it is there' : 'it is gone');

  it('does not exist for a change, a removal, or a transaction that depends on it', async () => {
    const key = await late();
    const set = { name: 'changed' };

    for (const single of [
      change(key, { set, onConditionFailed: told }),
      remove(key, { onConditionFailed: told }),
      ensure(key, { onConditionFailed: told }),
    ]) {
      await expect(write(single)).rejects.toThrow('it is gone');
      await expect(write(single, put(freshKey(), {}))).rejects.toThrow('it is gone');
    }
    expect(await storedItems(key.pk)).toMatchObject([{ name: 'late' }]);
  });

  it('blocks neither a new item nor a condition that requires its absence', async () => {
    const key = await late();
    await write(ensureNot(key, equals('name', 'late'), told), put(freshKey(), {}));
    await write(create(key, { name: 'new' }, told));

    expect(await get(key)).toMatchObject({ name: 'new' });
  });

  it('exists until then', async () => {
    const key = await late();
    const nowMs = now();
    setClock(() => nowMs - 1_000);

    await expect(write(create(key, {}, told))).rejects.toThrow('it is there');
    await expect(
      write(ensureNot(key, equals('name', 'late'), told), put(freshKey(), {})),
    ).rejects.toThrow('it is there');
    await write(ensure(key), change(freshKey(), { set: {}, add: { times: 1 }, orCreate: true }));
    await write(change(key, { set: { name: 'changed' } }));
    expect(await get(key)).toMatchObject({ name: 'changed' });
    await write(remove(key));
    expect(await storedItems(key.pk)).toEqual([]);
  });

  it('is invisible when only some attributes are read', async () => {
    const { pk } = await late();
    const range = { pk, from: ' ', to: '\uffff' };

    expect(await query(range, { attributes: ['name'] })).toEqual([]);
    expect(await query(range, { keysOnly: true })).toEqual([]);
  });
});

describe('concurrent writes', () => {
  it('create only one of 100 identical items, and return the existing one to the others', async () => {
    const key = freshKey();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        write(create(key, { index }, (stored) => new Error(`taken by ${stored?.index}`))),
      ),
    );

    const won = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    expect(won).toHaveLength(1);
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(new Set(reasons.map(({ message }) => message))).toEqual(new Set([`taken by ${won[0]}`]));
  });

  it('keep all of 100 changes to different fields of one item', async () => {
    const key = freshKey();
    await write(create(key, { name: 'kept' }));
    const fields = Array.from({ length: 100 }, (_, index) => `field${index}`);
    await Promise.all(fields.map((field) => write(change(key, { set: { [field]: field } }))));

    expect(await get(key)).toMatchObject({
      name: 'kept',
      ...Object.fromEntries(fields.map((field) => [field, field])),
    });
  });

  it('never restore an item that is removed concurrently', async () => {
    for (let round = 0; round < depth(20); round += 1) {
      const key = freshKey();
      await write(create(key, {}));
      await Promise.allSettled([
        write(change(key, { set: { round }, add: { changes: 1 } })),
        write(remove(key)),
        write(change(key, { set: { round: -1 } }), create(freshKey(key.pk), {})),
        write(change(key, { set: { round: -2 } })),
      ]);
      expect(await get(key)).toBeUndefined();
    }
  });
});

describe('a transaction', () => {
  it('applies nothing when a condition fails, and reports the first one', async () => {
    const [pk, taken] = [`TEST#${randomUUID()}`, freshKey()];
    await write(create(taken, { owner: 'one' }));
    const doomed = write(
      create(freshKey(pk), {}),
      ensure(taken, { when: equals('owner', 'two'), onConditionFailed: () => new Error('first') }),
      create(freshKey(pk), {}),
      remove(freshKey(pk), { onConditionFailed: () => new Error('second') }),
    );

    await expect(doomed).rejects.toThrow('first');
    expect(await storedItems(pk)).toEqual([]);
  });

  it('does nothing without writes', async () => {
    expect(await write()).toBeUndefined();
  });

  it('checks the condition of a change that changes nothing', async () => {
    const [counter, other] = [freshKey(), freshKey()];
    await write(create(counter, { value: 1 }));
    const unchanged = (value: number) => change(counter, { when: equals('value', value) });

    await write(unchanged(1), create(other, {}));
    await expect(write(unchanged(2), remove(other))).rejects.toThrow(ConditionNotMetError);
    expect(await get(other)).toBeDefined();
  });

  it('can consist only of checks', async () => {
    await expect(write(ensure(freshKey()))).rejects.toThrow('did not hold');
  });
});

describe('an item that was read', () => {
  it('can be used as the key of writes, alone and in a transaction', async () => {
    const pk = `TEST#${randomUUID()}`;
    await Promise.all(
      Array.from({ length: 4 }, () => write(create(freshKey(pk), { note: 'more than a key' }))),
    );
    const [one, two, three, four] = await query({ pk, from: ' ', to: '\uffff' });
    if (!one || !two || !three || !four) {
      throw new Error('The items are missing');
    }
    await write(change(one, { set: { changed: true } }));
    await write(discard(two));
    await write(change(three, { set: { changed: true } }), remove(four));

    const left = await storedItems(pk);
    expect(left.map(({ changed, note }) => [changed, note])).toEqual([
      [true, 'more than a key'],
      [true, 'more than a key'],
    ]);
  });
});

describe('a field without a value', () => {
  it('is not stored, and null removes a stored one', async () => {
    const key = freshKey();
    await write(put(key, { kept: 1, empty: null, missing: undefined }));
    expect(Object.keys((await get(key)) ?? {}).sort()).toEqual(['kept', 'pk', 'sk']);
    const changed = await write(change(key, { set: { kept: null, other: undefined, added: 2 } }));

    expect(changed).toMatchObject({ added: 2 });
    expect(changed).not.toHaveProperty('kept');
    expect(changed).not.toHaveProperty('other');
  });
});

describe('due items', () => {
  const dueTime = (minute: number) =>
    `2026-01-01T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00.000Z`;

  it('are spread over all shards, and found most overdue first', async () => {
    const items = Array.from({ length: 400 }, (_, minute) => ({
      ...freshKey(),
      ...dueIn('RETENTION', dueTime(minute)),
    }));
    await storeItems(items);
    await storeItem({ ...freshKey(), ...dueIn('RETENTION', '2999-01-01T00:00:00.000Z') });
    const found = await startLater(() => findDueItems('RETENTION', 1_000));
    const oldest = await findDueItems('RETENTION', 200);

    expect(new Set(items.map(({ duePk }) => duePk)).size).toBe(dueShards);
    expect(found.map(({ sk }) => sk)).toEqual(items.map(({ sk }) => sk));
    expect(oldest.map(({ sk }) => sk)).toEqual(items.slice(0, 200).map(({ sk }) => sk));
    expect(await findDueItems('SILENCE', 1_000)).toEqual([]);
  });

  it('stay in their shard if they have an id', () => {
    const shards = Array.from({ length: 20 }, () => dueIn('PUBLISH', dueTime(1), 'post-1').duePk);

    expect(new Set(shards).size).toBe(1);
  });
});
