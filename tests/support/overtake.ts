import { expect, vi } from 'vitest';
import { minuteMs } from '#lib/platform/clock.ts';
import type { DynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import type { DoomedCall } from './doomed-call.ts';

/** The client's own limit is longer. */
const heldBackMs = minuteMs;

type Slow<Answer> = {
  /** In a process of its own, behind the proxy. */
  readonly begin: () => Promise<DoomedCall<Answer>>;
  /** Its first call of this kind is meant, a transaction where none is named. */
  readonly operation?: 'TransactWriteItems' | 'DeleteItem' | 'GetItem';
  /** The start of a key that its write touches; without one, the first of all is meant. */
  readonly keyPrefix?: string;
};

/** Does something else when a slow one has looked at everything and is about to write it. */
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
    await vi.waitFor(() => expect(faults.hits()).toHaveLength(1), {
      timeout: 15_000,
      interval: 5,
    });
    const done = await other();
    goOn();

    return { answer: await running.answer, other: done };
  } finally {
    goOn();
  }
}
