import { expect, vi } from 'vitest';
import { minuteMs } from '#lib/clock.ts';
import type { HttpAnswer } from '#lib/http/request.ts';
import type { Contract } from '#schemas/contract.ts';
import type { DynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import type { Call } from './api.ts';
import { callInProcess } from './doomed-call.ts';

/** The client's own limit is longer. */
const heldBackMs = minuteMs;

/**
 * Makes a call in a process of its own, and something else when the call has been allowed and is
 * about to write its first transaction.
 */
export async function overtake<Other>(
  proxy: DynamoDbProxy,
  [contract, slow]: readonly [Contract, Call],
  other: () => Promise<Other>,
): Promise<{ readonly answer: HttpAnswer; readonly other: Other }> {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const fault = { kind: 'delay', when: 'before', delayMs: heldBackMs, until } as const;
  proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
  const running = await callInProcess(contract, slow, proxy.endpoint);
  await vi.waitFor(() => expect(proxy.faults.hits()).toHaveLength(1), {
    timeout: 15_000,
    interval: 5,
  });
  const done = await other();
  goOn();

  return { answer: (await running.answer) as HttpAnswer, other: done };
}
