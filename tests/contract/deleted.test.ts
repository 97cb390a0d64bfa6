import { expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { revokeInvitation } from '#schemas/organizations.ts';
import { bodyOf, successfulCall, tokenOf, unknownParams } from '#scripts/fixtures/fixtures.ts';
import { namesATenantsThing } from '#tests/support/registry/attacks.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld } from '#tests/support/registry/world.ts';

/** Returns the path parameter that identifies the target of the call. */
function thingOf({ path }: Contract): string {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)).at(-1) ?? '';
}

const members = endpoints.filter(({ access }) => access.kind !== 'public');
/** Excludes invitations, because a revoked one still exists, so a second revocation returns 409. */
const deletions = members.filter(
  (contract) =>
    contract.method === 'DELETE' &&
    contract !== revokeInvitation &&
    namesATenantsThing(thingOf(contract)),
);

liftRateLimits();
const world = await newWorld();

it.each(deletions)('no endpoint finds a deleted resource: $operationId', async (deletion) => {
  const call = await successfulCall(deletion, world);
  expect((await probe(deletion, call)).status).toBe(200);
  const thing = thingOf(deletion);
  const deleted = { [thing]: String(call.params?.[thing]) };
  const others = members.filter(({ params }) => thing in (params?.shape ?? {}));

  const answers: (readonly [operationId: string, status: number])[] = [];
  // Sequential, because two concurrent changes to a card return 409, whether it exists or not.
  for (const contract of others) {
    const body = await bodyOf(contract, world);
    const { status } = await probe(contract, {
      params: { ...unknownParams(contract, world), ...deleted },
      ...tokenOf(contract, world),
      ...(body ? { body } : {}),
    });
    answers.push([contract.operationId, status]);
  }

  expect(answers).toEqual(others.map(({ operationId }) => [operationId, 404]));
});
