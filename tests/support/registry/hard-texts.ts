import { randomUUID } from 'node:crypto';
import { cutToLength } from '#lib/platform/characters.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { JsonSchema } from '#scripts/build/generate/openapi/json-schema.ts';
import type { Answer } from '#tests/support/api.ts';
import { type Field, fieldsOf, valueAt, withValue } from './fields.ts';
import type { Body } from './fixture.ts';
import { probe } from './probe.ts';
import type { World } from './world.ts';
import { successfulCall } from './worlds.ts';

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

export type TextContract = {
  readonly contract: Contract;
  readonly operationId: string;
  readonly fields: readonly Field[];
};

/** The endpoints that take a text of whatever kind, and the fields for it. */
export const textContracts = endpoints.flatMap((contract: Contract): readonly TextContract[] => {
  const fields = contract.body ? fieldsOf(contract.body).filter(isFree) : [];

  return fields.length > 0 ? [{ contract, operationId: contract.operationId, fields }] : [];
});

/**
 * A call that would succeed, but with awkward texts wherever there may be one: where the first try is
 * told that some must follow a form, the second keeps to it.
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

/** The fields that an answer does not name. */
function notNamed(fields: readonly Field[], { body }: Answer): readonly Field[] {
  const messages = [body.message].flat().map(String);

  return fields.filter(({ keys: [name = ''] }) => !messages.some((says) => says.startsWith(name)));
}
