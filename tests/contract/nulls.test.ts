import { beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { type Field, fieldsOf, valueAt, withValue } from '#scripts/fixtures/fields.ts';
import type { Body } from '#scripts/fixtures/fixture.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld } from '#tests/support/registry/world.ts';

beforeAll(liftRateLimits);

/**
 * Required, because the examples' templates use these variables, tests need services, and a TEXT
 * source needs its text.
 */
const needed = new Set(['inputVariables', 'variables', 'services', 'text']);

/** Returns the nullable fields at one depth: the body's own fields, or all nested ones. */
function nullable(contract: Contract, isOwn: boolean): readonly Field[] {
  const fields = contract.body ? fieldsOf(contract.body) : [];

  return fields.filter(
    ({ isNullable, keys, path }) =>
      isNullable && !needed.has(path) && (keys.length === 1) === isOwn,
  );
}

const having = (isOwn: boolean) =>
  endpoints.filter((contract) => nullable(contract, isOwn).length > 0);

function emptied(body: Body, fields: readonly Field[]): Body {
  return fields
    .filter(({ keys }) => valueAt(body, keys) !== undefined)
    .reduce((rest, { keys }) => withValue(rest, keys, null), body);
}

async function answerTo(contract: Contract, isOwn: boolean) {
  const call = await successfulCall(contract, await newWorld());

  return probe(contract, { ...call, body: emptied(call.body as Body, nullable(contract, isOwn)) });
}

describe('null in every nullable field', () => {
  it.each(having(true))('is accepted by $operationId', async (contract) => {
    const { status, body } = await answerTo(contract, true);

    expect(status, JSON.stringify(body)).toBe(contract.status ?? 200);
  });

  it.each(having(false))('is accepted by $operationId in nested fields', async (contract) => {
    const { status, body } = await answerTo(contract, false);

    expect(status, JSON.stringify(body)).toBe(contract.status ?? 200);
  });
});
