import { beforeEach, describe, expect, it } from 'vitest';
import { CircuitOpenError, throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { setClock } from '#lib/platform/clock.ts';

let nowMs: number;
let calls: number;

beforeEach(() => {
  nowMs = Date.parse('2026-11-21T12:00:00Z');
  calls = 0;
  setClock(() => nowMs);
});

const outage = new Error('down');
const refusal = new Error('refused');
const unclear = new Error('unclear');

/** Calls a vendor that returns the answer, and returns the result or the error. */
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

describe('throughCircuit', () => {
  it('opens for 30 seconds after five failures in a row', async () => {
    await callTimes(4, outage);
    expect(await call()).toBe('fine');
    await callTimes(5, outage);
    nowMs += 29_999;

    expect(await call()).toBeInstanceOf(CircuitOpenError);
    expect(calls).toBe(10);

    nowMs += 1;
    expect(await call()).toBe('fine');
    expect(await call()).toBe('fine');
  });

  it('counts responses that mean an outage as failures', async () => {
    await callTimes(5, 500);

    expect(await call()).toBeInstanceOf(CircuitOpenError);
  });

  it('does not count rejected requests as failures', async () => {
    await callTimes(4, outage);
    await callTimes(20, refusal);
    await callTimes(4, outage);

    expect(await call()).toBe('fine');
  });

  it('ignores errors that say nothing about the vendor', async () => {
    await callTimes(4, outage);
    await callTimes(20, unclear);
    await call(outage);

    expect(await call()).toBeInstanceOf(CircuitOpenError);
  });

  it('keeps a separate circuit for each vendor', async () => {
    await callTimes(5, outage);

    expect(await call('fine', 'ai')).toBe('fine');
  });

  it('lets one probe through, and stays open for another 30 seconds if it fails', async () => {
    await callTimes(5, outage);
    nowMs += 30_000;
    const failing = Promise.withResolvers<Error>();
    const probe = call(failing.promise);

    expect(await call()).toBeInstanceOf(CircuitOpenError);
    nowMs += 5_000;
    failing.resolve(outage);
    expect(await probe).toBe(outage);

    nowMs += 29_999;
    expect(await call()).toBeInstanceOf(CircuitOpenError);
    nowMs += 1;
    expect(await call()).toBe('fine');
  });

  it('stays open when a call from before the outage succeeds late', async () => {
    const late = Promise.withResolvers<string>();
    const early = call(late.promise);
    await callTimes(5, outage);
    late.resolve('fine');
    await early;

    expect(await call()).toBeInstanceOf(CircuitOpenError);
  });

  it('lets another probe through if the first one never finishes', async () => {
    await callTimes(5, outage);
    nowMs += 30_000;
    void call(new Promise(() => undefined));
    nowMs += 30_000;

    expect(await call()).toBe('fine');
  });
});
