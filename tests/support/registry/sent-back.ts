import { describeIssues } from '#lib/platform/http/validation.ts';
import { areaOf, type Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import * as z from '#schemas/zod.ts';
import type { Answer } from '#tests/support/api.ts';

/** Responses show these with their state, and requests send them as texts. */
const otherwise = new Set(['createContentPost firstComment']);

/** Returns the operations that create or update a resource with this name in a response. */
function writersOf(contract: Contract, name: string): readonly Contract[] {
  const resource = name.replace(/ies$/, 'y').replace(/s$/, '').toLowerCase();

  return endpoints.filter(
    ({ operationId, body, ...writer }) =>
      body !== undefined &&
      areaOf(writer) === areaOf(contract) &&
      /^(?:create|update)/.test(operationId) &&
      operationId.toLowerCase().endsWith(resource),
  );
}

/**
 * Returns the reasons why fields of a response would be rejected if somebody sent them back
 * unchanged.
 */
export function problemsOfSendingBack(contract: Contract, { body }: Answer): readonly string[] {
  const resources = Object.entries(contract.envelope ? {} : (body ?? {})).flatMap(([name, shown]) =>
    [shown].flat().map((resource) => [name, resource] as const),
  );

  return resources.flatMap(([name, resource]) =>
    typeof resource !== 'object' || resource === null
      ? []
      : writersOf(contract, name).flatMap((writer) => rejectedFields(writer, resource)),
  );
}

function rejectedFields({ operationId, body }: Contract, resource: object): readonly string[] {
  const fields = Object.entries(body?.shape ?? {}) as Array<[string, z.ZodType]>;

  return fields
    .filter(([name]) => name in resource && !otherwise.has(`${operationId} ${name}`))
    .flatMap(([name, field]) => {
      const { error } = z.object({ [name]: field }).safeParse(resource, { reportInput: true });

      return describeIssues(error?.issues ?? []).map((problem) => `${operationId}: ${problem}`);
    });
}
