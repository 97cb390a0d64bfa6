import { expect, vi } from 'vitest';
import { minuteMs } from '#lib/platform/clock.ts';
import type { DynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import type { DoomedCall } from './doomed-call.ts';
import { patiently } from './patience.ts';

/** Shorter than the client's own timeout. */
const heldBackMs = minuteMs;

type Slow<Answer> = {
  /** Starts the call in its own process, behind the proxy. */
  readonly begin: () => Promise<DoomedCall<Answer>>;
  /** The kind of call to delay. The first call of this kind is used. Defaults to a transaction. */
  readonly operation?: 'TransactWriteItems' | 'DeleteItem' | 'GetItem';
  /** The key prefix of the write. Without it, the first write of any kind is used. */
  readonly keyPrefix?: string;
};

/** Runs another action after a slow call has read everything and directly before it writes. */
export async function overtake<Answer, Other>(
  { faults }: DynamoDbProxy,
  { begin, operation = 'TransactWriteItems', keyPrefix = '' }: Slow<Answer>,
  other: () => Promise<Other>,
): Promise<{ readonly answer: Answer | undefined; readonly other: Other }> {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const fault = { kind: 'delay', when: 'before', delayMs: heldBackMs, until } as const;
  faults.add({ operation, keyPrefix, nth: 1, fault });
  const running = await begin();
  try {
    await vi.waitFor(() => expect(faults.hits()).toHaveLength(1), patiently);
    const done = await other();
    goOn();

    return { answer: await running.answer, other: done };
  } finally {
    goOn();
  }
}
