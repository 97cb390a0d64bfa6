import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { depth } from '#tests/support/depth.ts';
import { histories } from '#tests/support/histories.ts';
import { storedItems } from '#tests/support/table.ts';
import { brokenMarkers } from '#tests/support/unique-markers.ts';
import { type UniqueKind, uniqueKinds } from './kinds.ts';

const { kinds, invitations, standIns } = await uniqueKinds();
process.env.INVITATION_LIMIT_PER_USER = '1000000';
process.env.INVITATION_LIMIT_PER_ADDRESS = '1000000';
process.env.INVITATION_LIMIT_PER_UNVERIFIED_USER = '1000000';
process.env.EMAIL_CHANGE_LIMIT_PER_USER = '1000000';

const step = fc.record({
  does: fc.constantFrom('create', 'create', 'rename', 'remove'),
  value: fc.nat(1),
  owner: fc.nat(3),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Histories per kind, each with at least this many changes. A full run makes 10,000 in total. */
const numRuns = depth(1, 115);
const minChanges = 8;

async function take(
  { create, idOf, rename, remove }: UniqueKind,
  values: readonly string[],
  ids: string[],
  { does, value, owner }: Step,
): Promise<number> {
  const wanted = values[value] ?? '';
  const id = ids[owner % ids.length];
  if (does === 'create' || id === undefined) {
    const created = await create(wanted, owner);
    if (created.status < 300) {
      ids.push(idOf(created));
    }

    return created.status;
  }

  return (await (does === 'rename' && rename ? rename(id, wanted) : remove(id))).status;
}

test.each([...kinds, invitations, standIns])(
  'each value has one owner after random claims, concurrent or sequential: $marker',
  async (kind) => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(histories(step, minChanges), async (rounds) => {
        const values = [await kind.newValue(), await kind.newValue()];
        const ids: string[] = [];
        for (const round of rounds) {
          const statuses = await Promise.all(round.map((one) => take(kind, values, ids, one)));
          changes += statuses.length;
          expect(statuses.filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([]);
        }
      }),
      { numRuns },
    );

    expect(changes).toBeGreaterThanOrEqual(numRuns * minChanges);
    expect(brokenMarkers(await storedItems())).toEqual([]);
  },
);
