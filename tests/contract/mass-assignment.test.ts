import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { Call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { fieldsOf } from '#tests/support/registry/fields.ts';
import type { Body } from '#tests/support/registry/fixture.ts';
import { seedOf } from '#tests/support/registry/fuzz.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import {
  believable,
  holdsMark,
  marked,
  newMark,
  ownAttributes,
  unknownTo,
} from '#tests/support/registry/planted.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { type Outcome, outcomeOf, recorded, takeBack } from '#tests/support/registry/rehearsal.ts';
import { writtenPartitions } from '#tests/support/registry/snapshot.ts';
import { newWorld, type World } from '#tests/support/registry/world.ts';
import { successfulCall } from '#tests/support/registry/worlds.ts';
import { storedItems } from '#tests/support/table.ts';

type BodyContract = Contract & { readonly body: NonNullable<Contract['body']> };

const writes = endpoints.filter((contract): contract is BodyContract => Boolean(contract.body));
const marks: string[] = [];

/** For calls that are refused before they do anything. */
let shared: World;
/** For calls of which everything is taken back. */
let restored: World;

beforeAll(async () => {
  liftRateLimits();
  [shared, restored] = await Promise.all([newWorld(), newWorld()]);
});

/** A call that succeeds in the world that is restored, and what was written for it. */
function prepared(contract: BodyContract) {
  return recorded(() => successfulCall(contract, restored));
}

/** What a call does, which is then taken back: nothing that is marked may be among it. */
async function passingOutcome(contract: BodyContract, call: Call): Promise<Outcome> {
  const { outcome, changes } = await outcomeOf(contract, call);
  await takeBack(changes);
  expect(changes.filter(({ after }) => after !== undefined && holdsMark(after))).toEqual([]);

  return outcome;
}

function newlyMarked(): string {
  const mark = newMark();
  marks.push(mark);

  return mark;
}

/** At the top and inside, with what a service that takes it would believe where there is such. */
function planted(contract: BodyContract, body: Body): Body {
  const extra = unknownTo(contract.body.shape, believable(newlyMarked()));

  return { ...extra, ...plantInside(body, newlyMarked()), ...openOf(contract, body) };
}

/** Fields whose inner names are the caller's to choose: what stands in them is theirs. */
function openOf({ body: schema }: BodyContract, body: Body): Body {
  const open = fieldsOf(schema).filter(({ keys, kind }) => keys.length === 1 && kind === 'record');

  return Object.fromEntries(open.flatMap(({ path }) => (path in body ? [[path, body[path]]] : [])));
}

describe('a body that names what is not the caller to set', () => {
  it.each(writes)('stores the same as one that does not: $operationId', async (contract) => {
    const { result: call, changes: needs } = await prepared(contract);
    const clean = await passingOutcome(contract, call);
    const body = planted(contract, call.body as Body);
    const told = await passingOutcome(contract, { ...call, body });

    expect(told.changes).toEqual(clean.changes);
    for (const { answer } of [clean, told]) {
      expect(answer).toContain(`"status":${contract.status ?? 200}`);
    }
    await takeBack(needs);
  });

  it.each(writes)('by chance stores none of it either: $operationId', async (contract) => {
    const { result: call, changes: needs } = await prepared(contract);
    const names = fc.uniqueArray(fc.constantFrom(...ownAttributes), { minLength: 1 });
    const property = fc.asyncProperty(names, async (chosen) => {
      const all = unknownTo(contract.body.shape, marked(newlyMarked()));
      const extra = Object.fromEntries(chosen.map((name) => [name, all[name]]));
      await passingOutcome(contract, { ...call, body: { ...extra, ...(call.body as Body) } });
    });

    await fc.assert(property, { numRuns: depth(1), seed: seedOf(contract.operationId) });
    await takeBack(needs);
  });

  it.each(writes)(
    'cannot reach the prototype of anything, nor hide it: $operationId',
    async (contract) => {
      const call = await successfulCall(contract, shared);
      const text = JSON.stringify(call.body);
      const malformed = 'Request body must be a valid JSON object';
      const reserved =
        'Request body must not contain a field named constructor, toString or valueOf at any depth';
      const traps = [
        ['"__proto__":{"polluted":true}', malformed],
        ['"constructor":{"prototype":{"polluted":true}}', malformed],
        ['"nested":{"__proto__":{"polluted":true}}', malformed],
        ['"constructor":{"name":"Set"}', reserved],
        ['"nested":[{"constructor":"polluted"}]', reserved],
        ['"toString":"polluted"', reserved],
        ['"nested":{"length":{"valueOf":"polluted"}}', reserved],
      ];
      for (const [trap, message] of traps) {
        const body = text === '{}' ? `{${trap}}` : text.replace('{', `{${trap},`);
        const answer = await probe(contract, { ...call, body });

        expect(answer.status).toBe(400);
        expect(answer.body.message).toEqual([message]);
        expect('polluted' in {}).toBe(false);
      }
    },
  );
});

/** Into every object that the body holds. */
function plantInside(body: Body, mark: string): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, withPlant(value, mark)]),
  );
}

function withPlant(value: unknown, mark: string): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => withPlant(element, mark));
  }
  if (typeof value === 'object' && value !== null) {
    return { internal: mark, writeId: mark, ...plantInside(value as Body, mark) };
  }

  return value;
}

afterAll(async () => {
  const items = await storedItems();
  const partitions = writtenPartitions();

  expect(marks.length).toBeGreaterThanOrEqual(writes.length * 3);
  expect(marks.every(holdsMark)).toBe(true);
  expect(items.filter(holdsMark)).toEqual([]);
  expect(items.filter(({ pk }) => !partitions.has(pk))).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(prototypeNames);
});

const prototypeNames = Object.getOwnPropertyNames(Object.prototype).sort();
