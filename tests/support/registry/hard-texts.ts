import { randomUUID } from 'node:crypto';
import { cutToLength } from '#lib/platform/characters.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { JsonSchema } from '#scripts/build/generate/openapi/json-schema.ts';
import { type Field, fieldsOf, valueAt, withValue } from '#scripts/fixtures/fields.ts';
import type { Body } from '#scripts/fixtures/fixture.ts';
import { successfulCall } from '#scripts/fixtures/fixtures.ts';
import type { World } from '#scripts/fixtures/world.ts';
import type { Answer } from '#tests/support/api.ts';
import { probe } from './probe.ts';

/** Characters that are hard to truncate, escape, encode, case-fold or search. */
const awkward = '<&>"\'`%25{{\\\u2028=+-@ßİ\u202e\u0301\r\n\t;,👩‍👩‍👧🍕 ';
const enough = 2_000;

/** Returns a unique text of the maximum length that needs no trimming. */
function hardText({ maxLength = enough }: JsonSchema): string {
  const text = `🍕${randomUUID().slice(0, 8)}${awkward.repeat(enough)}`;

  return `${cutToLength(text, Math.min(Number(maxLength), enough) - 1).trimEnd()}.`;
}

/** Returns true for text without a format that is not an identifier or secret. */
function isFree({ kind, path, schema }: Field): boolean {
  const isName = /(password|token|id|ids\.0)$|^(code|finish)$/i.test(path);

  return kind === 'string' && !schema.format && !schema.pattern && !isName;
}

export type TextContract = {
  readonly contract: Contract;
  readonly operationId: string;
  readonly fields: readonly Field[];
};

/** Endpoints with free-text fields, and those fields. */
export const textContracts = endpoints.flatMap((contract: Contract): readonly TextContract[] => {
  const fields = contract.body ? fieldsOf(contract.body).filter(isFree) : [];

  return fields.length > 0 ? [{ contract, operationId: contract.operationId, fields }] : [];
});

/**
 * Makes a successful call with difficult texts in every free-text field. If the first attempt
 * reports fields that require a format, the second one keeps those unchanged.
 */
export async function callWithHardTexts(
  { contract, fields }: TextContract,
  world: World,
): Promise<Answer> {
  const send = async (hardened: readonly Field[]) => {
    const call = await successfulCall(contract, world);

    return probe(contract, { ...call, body: harden(call.body as Body, hardened) });
  };
  const first = await send(fields);

  return first.status === 400 ? send(notNamed(fields, first)) : first;
}

function harden(body: Body, fields: readonly Field[]): Body {
  return fields
    .filter(({ keys }) => typeof valueAt(body, keys) === 'string')
    .reduce((hard, { keys, schema }) => withValue(hard, keys, hardText(schema)), body);
}

/** Returns the fields that the response does not report. */
function notNamed(fields: readonly Field[], { body }: Answer): readonly Field[] {
  const messages = [body.message].flat().map(String);

  return fields.filter(({ keys: [name = ''] }) => !messages.some((says) => says.startsWith(name)));
}
