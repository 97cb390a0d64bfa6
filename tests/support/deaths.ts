import { afterAll, beforeAll } from 'vitest';
import { setClock, setPause } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { liftRateLimits } from './registry/lift-rate-limits.ts';

/** No limit counts, nobody waits for what a dead process has left, and the clock is right afterwards. */
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
 * When a request dies, by what it has written of what it does: the rate limits, and the claim of its
 * `Idempotency-Key`, come before.
 */
export type Death =
  | { readonly at: 'its answer' }
  | {
      /** A call goes to a network or the AI service: between two of them nothing may be written. */
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
      const dies = diesOf(current, commandName, args.input as Input);
      endIf(current, dies === 'before');
      const result = await next(args);
      endIf(current, dies === 'after');

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
  endIf(current, dies === 'before');
  const answer = await callVendor(...request);
  endIf(current, dies === 'after');

  return answer;
};

/** Who is dead reads, writes and calls nothing any more. */
function endIf(current: Life, dies: boolean): void {
  current.isOver ||= dies;
  if (current.isOver) {
    throw new Error('The process is dead');
  }
}

function diesOf(current: Life, commandName: string, input: Input): 'before' | 'after' | undefined {
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

/** What a write of its own seals in the claim is the answer. */
function isAnswer({ ExpressionAttributeValues: values = {} }: Input): boolean {
  return Object.values(values).some((value) => /^v1\./.test(String(value)));
}

/** Every death of somebody who writes, or calls, so often; or so many of them, over their whole life. */
export function deathsOf(
  times: number,
  most = Number.POSITIVE_INFINITY,
  at: 'a write' | 'a call' = 'a write',
): readonly Death[] {
  const all = Array.from({ length: times }, (_, index) => index + 1).flatMap((nth) => [
    { at, nth, when: 'before' } as const,
    { at, nth, when: 'after' } as const,
  ]);
  const step = Math.max(1, all.length / most);

  return Array.from(
    { length: Math.min(most, all.length) },
    (_, index) => all[Math.floor((index + 0.5) * step)],
  ).filter((death) => death !== undefined);
}

export type Lived<Result> = {
  /** What was answered, if nobody heard it. */
  readonly result: Result | undefined;
  readonly hasDied: boolean;
  /** How often it wrote. */
  readonly writes: number;
  /** How often it called a network or the AI service. */
  readonly calls: number;
  /** Sets the keys free that it has claimed, as if it could not be running any more. */
  readonly setFree: () => Promise<void>;
};

/** Makes a call whose process dies at a moment, as far as the table can tell. */
export async function untilDeath<Result>(
  death: Death,
  makeCall: () => Promise<Result>,
): Promise<Lived<Result>> {
  const own: Life = { death, claims: [], writes: 0, calls: 0, isOver: false };
  life = own;
  try {
    const result = await makeCall().catch((failure) => {
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
