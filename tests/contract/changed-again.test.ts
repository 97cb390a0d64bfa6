import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '#lib/platform/clock.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { callerOf, successfulCall } from '#scripts/fixtures/fixtures.ts';
import { newSession } from '#scripts/fixtures/world.ts';
import {
  aftermath,
  differenceOf,
  ofEveryRequest,
  passTime,
  settle,
  startAnew,
} from '#tests/support/aftermath.ts';
import { type CallInput, gatewayEvent, send } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { lastingItems } from '#tests/support/table.ts';

waitForNobody();

const changing = endpoints.filter(({ method }) => /^(PUT|PATCH|DELETE)$/.test(method));

type Ask = (
  death?: Death,
) => Promise<{ readonly status: number | undefined; readonly writes: number }>;

/**
 * Makes a request once or more in a separate world, each time in a new session, and returns the
 * resulting state.
 */
async function outcomeOf<Result>(
  contract: Contract,
  make: (ask: Ask, again: Ask) => Promise<Result>,
) {
  await startAnew();
  const world = await newWorld();
  const call = await successfulCall(contract, world);
  // An operator has a key but no session.
  const session =
    contract.access.kind === 'operator'
      ? {}
      : await newSession(callerOf(contract, world).userId, world.organizationId);
  const asking =
    (asked: CallInput): Ask =>
    async (death = { at: 'its answer' }) => {
      const event = gatewayEvent(contract, { ...asked, ip: '2001:db8::3' });
      const { result, writes } = await untilDeath(death, () => send(contract, event));

      return { status: result?.status, writes };
    };
  const result = await make(asking(call), asking({ ...call, ...session }));
  await settle();

  return { result, left: await aftermath() };
}

/** Choosing the subscription's current plan returns 409. */
const notRepeatable = 'changePlan';

/**
 * Returns the allowed statuses of a repeated request. The target or caller of a deletion may no
 * longer exist.
 */
function allowedRepeatStatuses({ method, operationId, status = 200 }: Contract) {
  const isOver = ['revokeInvitation', 'deleteComment'].includes(operationId) ? [409] : [];

  const isSame = operationId === notRepeatable ? [409] : [];

  return method === 'DELETE' ? [status, 401, 403, 404, ...isOver] : [status, ...isSame];
}

/**
 * Choosing the current default card pays open invoices, so repeating it after a success pays again.
 */
const notIdempotent = 'setDefaultPaymentMethod';

function crashPointsIn(
  { operationId }: Contract,
  writes: number,
): ReadonlyArray<Death | undefined> {
  const deaths = deathsOf(writes, depth(1, Number.POSITIVE_INFINITY));

  return operationId === notIdempotent
    ? deaths.filter(({ at, ...death }) => !isDeepStrictEqual(death, { nth: writes, when: 'after' }))
    : [undefined, ...deaths];
}

describe('a repeated change', () => {
  it.each(changing)('has the same effect as a single change: $operationId', async (contract) => {
    const { left: usual, result: first } = await outcomeOf(contract, (ask) => ask());

    expect(first.status).toBe(contract.status ?? 200);
    for (const death of crashPointsIn(contract, first.writes)) {
      const { left, result: status } = await outcomeOf(contract, async (ask, again) => {
        await ask(death);

        const { status } = await again();
        if (status !== 409) {
          return status;
        }
        // By then, the leases of the crashed request have expired.
        passTime(2 * minuteMs);

        return (await again()).status;
      });
      const where = JSON.stringify(death) ?? 'when it is done';

      expect.soft(allowedRepeatStatuses(contract), where).toContain(status);
      expect.soft(differenceOf(left, usual), where).toEqual({ missing: [], added: [] });
    }
  });
});

/** Returns all stored items except those that every request writes. */
async function currentItems() {
  return (await lastingItems()).filter(({ pk }) => !ofEveryRequest.test(pk));
}

describe('a no-op change', () => {
  const patching = changing.filter(
    ({ method, operationId }) =>
      method !== 'DELETE' && operationId !== notIdempotent && operationId !== notRepeatable,
  );

  it.each(patching)(
    'leaves everything unchanged, including timestamps: $operationId',
    async (contract) => {
      const { result } = await outcomeOf(contract, async (ask, again) => {
        await ask();
        const before = await currentItems();
        passTime(secondMs);
        const { status } = await again();

        return { status, before, after: await currentItems() };
      });

      expect(result.status).toBe(contract.status ?? 200);
      expect(result.after).toEqual(result.before);
    },
  );
});
