import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CircuitOpen, throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { setClock } from '#lib/platform/clock.ts';

let nowMs: number;
let calls: number;

beforeEach(() => {
  nowMs = Date.parse('2026-11-21T12:00:00Z');
  calls = 0;
  setClock(() => nowMs);
});
afterEach(() => setClock());

const outage = new Error('down');
const refusal = new Error('refused');
const unclear = new Error('unclear');

/** Calls a vendor that answers so, and tells what came of it. */
async function call(answer: unknown = 'fine', vendor = 'payment'): Promise<unknown> {
  const answering = async () => {
    calls += 1;
    const settled = await answer;
    if (settled instanceof Error) {
      throw settled;
    }

    return settled;
  };

  return throughCircuit(vendor, answering, {
    inAnswer: (given) => given === 500,
    inFailure: (failure) => (failure === unclear ? undefined : failure === outage),
  }).catch((failure: unknown) => failure);
}

async function callTimes(times: number, answer: unknown): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    await call(answer);
  }
}

describe('a vendor', () => {
  it('is called until it has failed five times in a row, and then not for 30 s', async () => {
    await callTimes(4, outage);
    expect(await call()).toBe('fine');
    await callTimes(5, outage);
    nowMs += 29_999;

    expect(await call()).toBeInstanceOf(CircuitOpen);
    expect(calls).toBe(10);

    nowMs += 1;
    expect(await call()).toBe('fine');
    expect(await call()).toBe('fine');
  });

  it('fails by an answer of its own too', async () => {
    await callTimes(5, 500);

    expect(await call()).toBeInstanceOf(CircuitOpen);
  });

  it('that refuses what a caller asks for is called on', async () => {
    await callTimes(4, outage);
    await callTimes(20, refusal);
    await callTimes(4, outage);

    expect(await call()).toBe('fine');
  });

  it('is judged by nothing that says nothing of it', async () => {
    await callTimes(4, outage);
    await callTimes(20, unclear);
    await call(outage);

    expect(await call()).toBeInstanceOf(CircuitOpen);
  });

  it('is not called when another one does not work', async () => {
    await callTimes(5, outage);

    expect(await call('fine', 'ai')).toBe('fine');
  });

  it('has one call to show that it works again, and 30 s more where that fails', async () => {
    await callTimes(5, outage);
    nowMs += 30_000;
    const failing = Promise.withResolvers<Error>();
    const probe = call(failing.promise);

    expect(await call()).toBeInstanceOf(CircuitOpen);
    nowMs += 5_000;
    failing.resolve(outage);
    expect(await probe).toBe(outage);

    nowMs += 29_999;
    expect(await call()).toBeInstanceOf(CircuitOpen);
    nowMs += 1;
    expect(await call()).toBe('fine');
  });

  it('is not called again because of what it answered to an earlier call', async () => {
    const late = Promise.withResolvers<string>();
    const early = call(late.promise);
    await callTimes(5, outage);
    late.resolve('fine');
    await early;

    expect(await call()).toBeInstanceOf(CircuitOpen);
  });

  it('may have another call where the one that was let through is never heard of', async () => {
    await callTimes(5, outage);
    nowMs += 30_000;
    void call(new Promise(() => undefined));
    nowMs += 30_000;

    expect(await call()).toBe('fine');
  });
});
