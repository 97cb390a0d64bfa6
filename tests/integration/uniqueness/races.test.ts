import { describe, expect, it } from 'vitest';
import type { Answer } from '#tests/support/api.ts';
import { atOnce, depth } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';
import { brokenMarkers, markersAmong } from '#tests/support/unique-markers.ts';
import { type UniqueKind, uniqueKinds } from './kinds.ts';

const { kinds } = await uniqueKinds();
/** The number of concurrent requests that claim a value. */
const many = atOnce(5);

const isDone = ({ status }: Answer) => status === 200 || status === 201;
const isRefused = ({ status }: Answer) => status === 409;

async function newOwner({ create, idOf }: UniqueKind, value: string): Promise<string> {
  const created = await create(value, 0);
  expect([200, 201]).toContain(created.status);

  return idOf(created);
}

async function expectEachItsOwn(): Promise<void> {
  expect(brokenMarkers(await storedItems())).toEqual([]);
}

describe.each(kinds)('creating values that are unique as $marker', (kind) => {
  const { marker, taken, newValue, create, remove } = kind;

  it('succeeds for one of many concurrent requests and returns 409 to the others', async () => {
    const value = await newValue();
    const before = markersAmong(await storedItems(), marker).length;
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) => create(value, index)),
    );
    const refused = answers.filter(isRefused);

    expect(answers.filter(isDone)).toHaveLength(1);
    expect(refused).toHaveLength(many - 1);
    expect(new Set(refused.map(({ body }) => body.message))).toEqual(new Set([taken]));
    expect(markersAmong(await storedItems(), marker)).toHaveLength(before + 1);
    await expectEachItsOwn();
  });

  it('succeeds for one request as soon as the former owner is removed', async () => {
    const value = await newValue();
    const former = await newOwner(kind, value);
    expect((await create(value, 1)).status).toBe(409);
    expect((await remove(former)).status).toBe(200);

    expect(isDone(await create(value, 1))).toBe(true);
    expect((await create(value, 0)).status).toBe(409);
    await expectEachItsOwn();
  });
});

type Changeable = UniqueKind & Required<Pick<UniqueKind, 'rename'>>;
const changeable = kinds.filter((kind): kind is Changeable => kind.rename !== undefined);

describe.each(changeable)('changing values that are unique as $marker', (kind) => {
  const { newValue, create, idOf, rename, remove } = kind;

  it('succeeds for one of many concurrent creations and changes', async () => {
    for (let round = 0; round < depth(1); round += 1) {
      const [one, other, wanted] = [await newValue(), await newValue(), await newValue()];
      const owners = [await newOwner(kind, one), await newOwner(kind, other)];
      const answers = await Promise.all([
        ...owners.map((owner) => rename(owner, wanted)),
        create(wanted, 0),
        create(wanted, 1),
      ]);

      expect(answers.filter(isDone)).toHaveLength(1);
      expect(answers.filter(isRefused)).toHaveLength(3);
      const former = [await create(one, 0), await create(other, 0)];
      expect(former.map(isDone)).toEqual(answers.slice(0, 2).map(isDone));
    }
    await expectEachItsOwn();
  });

  it('leaves no value behind during a concurrent removal', async () => {
    for (let round = 0; round < depth(3); round += 1) {
      const [former, wanted] = [await newValue(), await newValue()];
      const owner = await newOwner(kind, former);
      const answers = await Promise.all([
        rename(owner, wanted),
        remove(owner),
        create(former, 1),
        create(wanted, 1),
      ]);
      const made = answers.slice(2).filter(isDone).map(idOf);

      expect(answers.filter(({ status }) => ![200, 201, 404, 409].includes(status))).toEqual([]);
      expect(made).not.toContain(owner);
    }
    await expectEachItsOwn();
  });
});
