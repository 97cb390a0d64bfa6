import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cutToLength } from '#lib/characters.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { JsonSchema } from '#scripts/generate/openapi/json-schema.ts';
import type { Answer } from '#tests/support/api.ts';
import { type Field, fieldsOf, valueAt, withValue } from '#tests/support/registry/fields.ts';
import type { Body } from '#tests/support/registry/fixture.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newSession, newWorld, type World } from '#tests/support/registry/world.ts';
import { successfulCall } from '#tests/support/registry/worlds.ts';

/** What is awkward to cut, to escape, to encode, to fold and to search. */
const awkward = '<&>"\'`%25{{\\\u2028=+-@ßİ\u202e\u0301\r\n\t;,👩‍👩‍👧🍕 ';
const enough = 2_000;

/** As long as it may be, another each time, with nothing at its ends that would be trimmed. */
function hardText({ maxLength = enough }: JsonSchema): string {
  const text = `🍕${randomUUID().slice(0, 8)}${awkward.repeat(enough)}`;

  return `${cutToLength(text, Math.min(Number(maxLength), enough) - 1).trimEnd()}.`;
}

/** Text that follows no form, and that names nothing. */
function isFree({ kind, path, schema }: Field): boolean {
  const isName = /(password|token|id)$/i.test(path);

  return kind === 'string' && !schema.format && !schema.pattern && !isName;
}

type TextContract = {
  readonly contract: Contract;
  readonly operationId: string;
  readonly fields: readonly Field[];
};

const writes = endpoints.flatMap((contract: Contract): readonly TextContract[] => {
  const fields = contract.body ? fieldsOf(contract.body).filter(isFree) : [];

  return fields.length > 0 ? [{ contract, operationId: contract.operationId, fields }] : [];
});
const reads = endpoints.filter(({ method }) => method === 'GET');

function harden(body: Body, fields: readonly Field[]): Body {
  return fields
    .filter(({ keys }) => typeof valueAt(body, keys) === 'string')
    .reduce((hard, { keys, schema }) => withValue(hard, keys, hardText(schema)), body);
}

let world: World;

beforeAll(async () => {
  liftRateLimits();
  world = await newWorld();
});
// Some calls end the session that they came with.
beforeEach(async () => {
  const { OWNER } = world.people;
  const session = await newSession(OWNER.userId, world.organizationId);
  world = { ...world, people: { ...world.people, OWNER: { ...OWNER, ...session } } };
});

/** A call that would succeed, but for such texts in these fields. */
async function callWith(contract: Contract, fields: readonly Field[]): Promise<Answer> {
  const call = await successfulCall(contract, world);

  return probe(contract, { ...call, body: harden(call.body as Body, fields) });
}

/** The fields that an answer does not name. */
function notNamed(fields: readonly Field[], { body }: Answer): readonly Field[] {
  const messages = [body.message].flat().map(String);

  return fields.filter(({ keys: [name = ''] }) => !messages.some((says) => says.startsWith(name)));
}

describe('whatever texts hold', () => {
  it.each(writes)('$operationId takes them', async ({ contract, fields }) => {
    const first = await callWith(contract, fields);
    // What must follow a form is said to.
    const answer = first.status === 400 ? await callWith(contract, notNamed(fields, first)) : first;

    expect(answer.status, JSON.stringify(answer.body)).toBe(contract.status ?? 200);
  });

  it.each(reads)('$operationId shows what was stored of them', async (contract) => {
    const answer = await probe(contract, await successfulCall(contract, world));

    expect(answer.status).toBe(contract.status ?? 200);
  });
});
