import { beforeAll, expect, it } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { revokeInvitation } from '#schemas/organizations.ts';
import { namesATenantsThing } from '#tests/support/registry/attacks.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { probe } from '#tests/support/registry/probe.ts';
import { newWorld, type World } from '#tests/support/registry/world.ts';
import { bodyOf, callerOf, successfulCall, unknownParams } from '#tests/support/registry/worlds.ts';

/** What a call with this path is about. */
function thingOf({ path }: Contract): string {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)).at(-1) ?? '';
}

const members = endpoints.filter(({ access }) => access.kind !== 'public');
/** An invitation that is revoked can still be seen: a second time, it is a 409. */
const deletions = members.filter(
  (contract) =>
    contract.method === 'DELETE' &&
    contract !== revokeInvitation &&
    namesATenantsThing(thingOf(contract)),
);

let world: World;

beforeAll(async () => {
  liftRateLimits();
  world = await newWorld();
});

it.each(deletions)('is not there for anybody after $operationId', async (deletion) => {
  const call = await successfulCall(deletion, world);
  expect((await probe(deletion, call)).status).toBe(200);
  const thing = thingOf(deletion);
  const deleted = { [thing]: String(call.params?.[thing]) };
  const others = members.filter(({ params }) => thing in (params?.shape ?? {}));

  const answers: (readonly [operationId: string, status: number])[] = [];
  // One after the other: two changes of one card at once are a 409, whether it is there or not.
  for (const contract of others) {
    const body = await bodyOf(contract, world);
    const { status } = await probe(contract, {
      params: { ...unknownParams(contract, world), ...deleted },
      token: callerOf(contract, world).token,
      ...(body ? { body } : {}),
    });
    answers.push([contract.operationId, status]);
  }

  expect(answers).toEqual(others.map(({ operationId }) => [operationId, 404]));
});
