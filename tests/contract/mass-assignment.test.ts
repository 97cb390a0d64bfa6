import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { fieldsOf } from '#scripts/fixtures/fields.ts';
import type { Body } from '#scripts/fixtures/fixture.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import type { CallInput } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
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
import { representatives } from '#tests/support/registry/representatives.ts';
import { writtenPartitions } from '#tests/support/registry/snapshot.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { storedItems } from '#tests/support/table.ts';

type BodyContract = Contract & { readonly body: NonNullable<Contract['body']> };

/** Strict operations reject unknown fields, see `validation.test.ts`. */
const writes = endpoints.filter(
  (contract): contract is BodyContract => Boolean(contract.body) && !contract.strict,
);
/** Unknown fields are dropped before the operation runs, see `parity.test.ts`. */
const shapes = representatives(writes);
const marks: string[] = [];

/** For calls that are rejected before they take effect. */
/** For calls whose changes are reverted. */

liftRateLimits();
const [shared, restored] = await Promise.all([newWorld(), newWorld()]);

/** Prepares a successful call in the restored world and records the required writes. */
function prepared(contract: BodyContract) {
  return recorded(() => successfulCall(contract, restored));
}

/**
 * Returns the outcome of a call, reverts its changes, and expects that they contain no marked
 * value.
 */
async function revertedOutcome(contract: BodyContract, call: CallInput): Promise<Outcome> {
  const { outcome, changes } = await outcomeOf(contract, call);
  await takeBack(changes);
  expect(changes.filter(({ after }) => after !== undefined && holdsMark(after))).toEqual([]);

  return outcome;
}

function newTrackedMark(): string {
  const mark = newMark();
  marks.push(mark);

  return mark;
}

/** Adds unknown fields at the top level and inside, with plausible values where possible. */
function planted(contract: BodyContract, body: Body): Body {
  const extra = unknownTo(contract.body.shape, believable(newTrackedMark()));

  return { ...extra, ...plantInside(body, newTrackedMark()), ...openFieldsOf(contract, body) };
}

/** Returns fields in which the caller may choose names, so their content is kept. */
function openFieldsOf({ body: schema }: BodyContract, body: Body): Body {
  const open = fieldsOf(schema).filter(({ keys, kind }) => keys.length === 1 && kind === 'record');

  return Object.fromEntries(open.flatMap(({ path }) => (path in body ? [[path, body[path]]] : [])));
}

describe('a body with unknown fields', () => {
  it.each(writes)(
    'has the same result as without the unknown fields: $operationId',
    async (contract) => {
      const { result: call, changes: needs } = await prepared(contract);
      const clean = await revertedOutcome(contract, call);
      const body = planted(contract, call.body as Body);
      const told = await revertedOutcome(contract, { ...call, body });

      expect(told.changes).toEqual(clean.changes);
      for (const { answer } of [clean, told]) {
        expect(answer).toContain(`"status":${contract.status ?? 200}`);
      }
      await takeBack(needs);
    },
  );

  it.each(shapes)('stores none of them in random combinations: $operationId', async (contract) => {
    const { result: call, changes: needs } = await prepared(contract);
    const names = fc.uniqueArray(fc.constantFrom(...ownAttributes), { minLength: 1 });
    const property = fc.asyncProperty(names, async (chosen) => {
      const all = unknownTo(contract.body.shape, marked(newTrackedMark()));
      const extra = Object.fromEntries(chosen.map((name) => [name, all[name]]));
      await revertedOutcome(contract, { ...call, body: { ...extra, ...(call.body as Body) } });
    });

    await fc.assert(property, { numRuns: depth(1, 200), seed: seedOf(contract.operationId) });
    await takeBack(needs);
  });

  it.each(shapes)('cannot modify or shadow a prototype: $operationId', async (contract) => {
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
  });
});

// In a test, so that `-t <operationId>` skips it.
it('the mass assignment tests mark at least two bodies per endpoint', () => {
  expect(marks.length).toBeGreaterThanOrEqual(writes.length * 2 + shapes.length);
});

/** Adds fields to every object in the body. */
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

  expect(marks.every(holdsMark)).toBe(true);
  expect(items.filter(holdsMark)).toEqual([]);
  expect(items.filter(({ pk }) => !partitions.has(pk))).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(prototypeNames);
});

const prototypeNames = Object.getOwnPropertyNames(Object.prototype).sort();
