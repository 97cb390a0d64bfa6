// In a process of its own: it listens to the table's client
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '#lib/platform/clock.ts';
import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import {
  aftermath,
  differenceOf,
  ofEveryRequest,
  passTime,
  settle,
  startAnew,
} from '#tests/support/aftermath.ts';
import { type Call, gatewayEvent, send } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { newSession, newWorld } from '#tests/support/registry/world.ts';
import { callerOf, successfulCall } from '#tests/support/registry/worlds.ts';
import { lastingItems } from '#tests/support/table.ts';

waitForNobody();

const changing = endpoints.filter(({ method }) => /^(PUT|PATCH|DELETE)$/.test(method));

type Ask = (
  death?: Death,
) => Promise<{ readonly status: number | undefined; readonly writes: number }>;

/** What comes of a request in a world of its own, made once or more often; each in a session of its own. */
async function outcomeOf<Result>(
  contract: Contract,
  make: (ask: Ask, again: Ask) => Promise<Result>,
) {
  await startAnew();
  const world = await newWorld();
  const call = await successfulCall(contract, world);
  const session = await newSession(callerOf(contract, world).userId, world.organizationId);
  const asking =
    (asked: Call): Ask =>
    async (death = { at: 'its answer' }) => {
      const event = gatewayEvent(contract, { ...asked, ip: '2001:db8::3' });
      const { result, writes } = await untilDeath(death, () => send(contract, event));

      return { status: result?.status, writes };
    };
  const result = await make(asking(call), asking({ ...call, ...session }));
  await settle();

  return { result, left: await aftermath() };
}

/** Where the first has done it all, there is nothing to delete any more, or nobody who may. */
function allowedAgain({ method, operationId, status = 200 }: Contract) {
  const isOver = operationId === 'revokeInvitation' ? [409] : [];

  return method === 'DELETE' ? [status, 401, 403, 404, ...isOver] : [status];
}

/** Choosing a card that is chosen already pays what is owed: once it is done, it is done again. */
const isDoneAgain = 'setDefaultPaymentMethod';

function deathsIn({ operationId }: Contract, writes: number): ReadonlyArray<Death | undefined> {
  const deaths = deathsOf(writes, depth(2));

  return operationId === isDoneAgain
    ? deaths.filter(({ at, ...death }) => !isDeepStrictEqual(death, { nth: writes, when: 'after' }))
    : [undefined, ...deaths];
}

describe('a change that is sent again', () => {
  it.each(changing)('comes to what it comes to once: $operationId', async (contract) => {
    const { left: usual, result: first } = await outcomeOf(contract, (ask) => ask());

    expect(first.status).toBe(contract.status ?? 200);
    for (const death of deathsIn(contract, first.writes)) {
      const { left, result: status } = await outcomeOf(contract, async (ask, again) => {
        await ask(death);

        const { status } = await again();
        if (status !== 409) {
          return status;
        }
        // What the dead have held is free then.
        passTime(2 * minuteMs);

        return (await again()).status;
      });
      const where = JSON.stringify(death) ?? 'when it is done';

      expect.soft(allowedAgain(contract), where).toContain(status);
      expect.soft(differenceOf(left, usual), where).toEqual({ missing: [], added: [] });
    }
  });
});

/** All that is stored but what every request leaves. */
async function storedNow() {
  return (await lastingItems()).filter(({ pk }) => !ofEveryRequest.test(pk));
}

describe('a change that changes nothing', () => {
  const patching = changing.filter(
    ({ method, operationId }) => method !== 'DELETE' && operationId !== isDoneAgain,
  );

  it.each(patching)('leaves all as it was, times too: $operationId', async (contract) => {
    const { result } = await outcomeOf(contract, async (ask, again) => {
      await ask();
      const before = await storedNow();
      passTime(secondMs);
      const { status } = await again();

      return { status, before, after: await storedNow() };
    });

    expect(result.status).toBe(contract.status ?? 200);
    expect(result.after).toEqual(result.before);
  });
});
