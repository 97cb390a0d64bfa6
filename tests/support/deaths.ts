import { afterAll, beforeAll } from 'vitest';
import { setClock, setPause } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { withoutFaults } from './own-table.ts';
import { liftRateLimits } from './registry/lift-rate-limits.ts';

/** Removes rate limits, skips waiting for crashed processes, and resets the clock afterwards. */
export function waitForNobody(): void {
  beforeAll(() => {
    liftRateLimits();
    setPause(async () => undefined);
  });
  afterAll(() => {
    setPause();
    setClock();
  });
}

/**
 * The point at which a request crashes. Rate limit writes and the claim of its `Idempotency-Key`
 * are not counted.
 */
export type Death =
  | { readonly at: 'its answer' }
  | {
      /** A call to a network or the AI service. Nothing may be written between two of them. */
      readonly at: 'a write' | 'a call';
      readonly nth: number;
      readonly when: 'before' | 'after';
    };

type Input = { readonly Key?: Key; readonly ExpressionAttributeValues?: object };

type Life = {
  readonly death: Death;
  readonly claims: Key[];
  writes: number;
  calls: number;
  isOver: boolean;
};

let life: Life | undefined;

const ofEveryRequest = /^(RATE|METRICS)#/;

documentClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      const current = life;
      if (!current) {
        return next(args);
      }
      const dies = crashMoment(current, commandName, args.input as Input);
      crashIf(current, dies === 'before');
      const result = await next(args);
      crashIf(current, dies === 'after');

      return result;
    },
  { step: 'initialize', priority: 'high', name: 'deaths' },
);

const callVendor = globalThis.fetch;

globalThis.fetch = async (...request) => {
  const current = life;
  if (!current) {
    return callVendor(...request);
  }
  current.calls += 1;
  const { death } = current;
  const dies = death.at === 'a call' && death.nth === current.calls ? death.when : undefined;
  crashIf(current, dies === 'before');
  const answer = await callVendor(...request);
  crashIf(current, dies === 'after');

  return answer;
};

/** A crashed process makes no further reads, writes or calls. */
function crashIf(current: Life, dies: boolean): void {
  current.isOver ||= dies;
  if (current.isOver) {
    throw new Error('The process is dead');
  }
}

function crashMoment(
  current: Life,
  commandName: string,
  input: Input,
): 'before' | 'after' | undefined {
  const { death } = current;
  const { Key: key = { pk: '', sk: '' } } = input;
  if (/^(Get|BatchGet|Query)/.test(commandName) || ofEveryRequest.test(key.pk)) {
    return undefined;
  }
  if (key.pk.startsWith('IDEMPOTENCY#')) {
    current.claims.push(key);

    return death.at === 'its answer' && isAnswer(input) ? 'before' : undefined;
  }
  current.writes += 1;

  return death.at === 'a write' && death.nth === current.writes ? death.when : undefined;
}

/** Only the response is stored encrypted in the claim by a separate write. */
function isAnswer({ ExpressionAttributeValues: values = {} }: Input): boolean {
  return Object.values(values).some((value) => /^v1\./.test(String(value)));
}

/**
 * Returns the points before and after each of `times` writes or calls, or an even selection of
 * `most` of them.
 */
export function deathsOf(
  times: number,
  most = Number.POSITIVE_INFINITY,
  at: 'a write' | 'a call' = 'a write',
): readonly Death[] {
  const all = Array.from({ length: times }, (_, index) => index + 1).flatMap((nth) => [
    { at, nth, when: 'before' } as const,
    { at, nth, when: 'after' } as const,
  ]);

  return evenly(all, most);
}

/** Returns an even selection of `most` of these points. */
export function evenly<Point>(all: readonly Point[], most: number): readonly Point[] {
  const step = Math.max(1, all.length / most);

  return Array.from(
    { length: Math.min(most, all.length) },
    (_, index) => all[Math.floor((index + 0.5) * step)] as Point,
  );
}

export type Lived<Result> = {
  /** The result, if it was returned before the crash. */
  readonly result: Result | undefined;
  readonly hasDied: boolean;
  /** The number of its writes. */
  readonly writes: number;
  /** The number of its calls to networks or the AI service. */
  readonly calls: number;
  /** Expires the claims of its keys, as if it could no longer be running. */
  readonly setFree: () => Promise<void>;
};

/** Makes a call that appears to crash at the given point: afterwards, nothing reaches the table. */
export async function untilDeath<Result>(
  death: Death,
  makeCall: () => Promise<Result>,
): Promise<Lived<Result>> {
  const own: Life = { death, claims: [], writes: 0, calls: 0, isOver: false };
  life = own;
  try {
    const result = await withoutFaults(makeCall).catch((failure) => {
      if (!own.isOver) {
        throw failure;
      }

      return undefined;
    });

    return {
      result,
      hasDied: own.isOver,
      writes: own.writes,
      calls: own.calls,
      setFree: () => setFree(own.claims),
    };
  } finally {
    life = undefined;
  }
}

async function setFree(claims: readonly Key[]): Promise<void> {
  for (const key of claims) {
    await write(change(key, { set: { leaseUntilSeconds: 0 } }));
  }
}
