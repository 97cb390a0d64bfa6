import type { Contract } from '#schemas/contract.ts';
import { isIdempotent, isStatic, isUnsafe } from '#scripts/build/generate/openapi/facts.ts';
import { runsAll } from '#tests/support/depth.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { seedOf } from './fuzz.ts';

/**
 * Returns the properties by which the middleware of `endpoint` treats a request before its
 * operation runs. Endpoints with the same properties cannot differ there: `parity.test.ts` verifies
 * that every function is the result of `endpoint`, and that its middleware reads nothing else.
 */
function factsOf(contract: Contract): readonly unknown[] {
  const { access, params, body, failures, strict } = contract;
  const organization = 'organization' in access ? access.organization : undefined;

  return [
    access.kind,
    organization,
    'peopleOnly' in access,
    'anonymous' in access,
    'bearerOnly' in access,
    isUnsafe(contract),
    isIdempotent(contract),
    failures,
    strict,
    isStatic(contract),
    params !== undefined,
    body !== undefined,
  ];
}

const { version } = packageJson;

function rankOf({ operationId }: Contract): number {
  return seedOf(`${version} ${operationId}`);
}

/**
 * Returns one endpoint of each kind that the middleware distinguishes. In a full run, returns all
 * endpoints. `moreFacts` are additional properties that matter to the test. Each version of the
 * package chooses other endpoints.
 */
export function representatives<C extends Contract>(
  contracts: readonly C[],
  moreFacts: (contract: C) => readonly unknown[] = () => [],
): readonly C[] {
  if (runsAll) {
    return contracts;
  }
  const chosen = new Map<string, C>();
  for (const contract of contracts.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    chosen.set(JSON.stringify([...factsOf(contract), ...moreFacts(contract)]), contract);
  }

  return [...chosen.values()];
}
