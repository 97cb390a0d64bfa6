import { expect, vi } from 'vitest';
import { type RateLimitName, type RateLimitPolicy, rateLimits } from '#schemas/rate-limits.ts';
import { type Used, unitsPerRequest, usdOf } from '#scripts/bench/cost/flood-bill.ts';
import type { DynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import type { Answer } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';

const hourSeconds = 3_600;
const headerBytes = 1_000;
const usualMemoryMb = 1_024;
/** Ends a flood that no limit ends. */
const maxSent = 60;

export type FloodOptions = Partial<Pick<Used, 'memoryMb' | 'busyMs'>> & {
  /** The status of allowed requests. */
  readonly status?: number;
};

/** The highest bill that a flood causes in an hour, scaled from a small limit to the real one. */
export type Line = {
  readonly what: string;
  readonly allowed: number;
  readonly refused: number;
  readonly usdPerHour: number;
  readonly refusedUsd: number;
};

/** Sends floods through the real handlers and meters their resources. */
export function floodSetup(proxy: DynamoDbProxy) {
  /** Meters the resources of requests, including the workers that run for them. */
  async function meter(
    send: () => Promise<readonly Answer[]>,
    { memoryMb = usualMemoryMb, busyMs = 0 }: FloodOptions = {},
  ) {
    let answers: readonly Answer[] = [];
    const before = await Promise.all([sandbox.mails(), sandbox.requests()]);
    const { calls, roundTrips, readUnits } = await proxy.meter.measure(async () => {
      answers = await send();
      await drainWork();
    });
    const [mails, requests] = await Promise.all([sandbox.mails(), sandbox.requests()]);
    const aiCalls = callsOf(isAi, requests) - callsOf(isAi, before[1]);
    const otherVendorCalls = callsOf(isOtherVendor, requests) - callsOf(isOtherVendor, before[1]);
    const messages = new Set(
      calls.flatMap(({ keys }) => keys.filter((key) => key.includes('/OUTBOX#'))),
    ).size;
    const used: Used = {
      calls: answers.length + messages,
      messages,
      trips: roundTrips,
      readUnits,
      writeUnits: calls.reduce((sum, one) => sum + writeUnitsOf(one), 0),
      responseBytes: answers.reduce((sum, { body }) => sum + sizeOf(body) + headerBytes, 0),
      mails: mails.length - before[0].length,
      aiCalls,
      otherVendorCalls,
      memoryMb,
      busyMs: busyMs * answers.length,
    };

    return { answers, used, usd: usdOf(used) };
  }

  /**
   * Sends requests until they are rejected, under a small limit. Scales the bill of the allowed
   * requests to the real limit.
   */
  async function flood(
    what: string,
    name: RateLimitName,
    small: number,
    send: () => Promise<Answer>,
    options: FloodOptions = {},
  ): Promise<Line> {
    limitTo(name, small);
    const allowed = await meter(() => sendUntilRefused(send, what), options);
    const refused = await meter(async () => [await send(), await send(), await send()]);
    const statuses = new Set(allowed.answers.map(({ status }) => status));
    expect([...statuses], what).toEqual([options.status ?? 200]);
    expect(refused.answers.every(isRefusal), what).toBe(true);

    return {
      what,
      allowed: allowed.answers.length,
      refused: refused.answers.length,
      usdPerHour: allowed.usd * perHour(name, small),
      refusedUsd: refused.usd / refused.answers.length,
    };
  }

  return { meter, flood };
}

type VendorCall = { readonly service: string };

function callsOf(matches: (service: string) => boolean, calls: readonly VendorCall[]): number {
  return calls.filter(({ service }) => matches(service)).length;
}

const isAi = (service: string) => service === 'openai';
const isOtherVendor = (service: string) => !['openai', 'ses', 'secretsmanager'].includes(service);

async function sendUntilRefused(send: () => Promise<Answer>, what: string): Promise<Answer[]> {
  const sent: Answer[] = [];
  for (let answer = await send(); !isRefusal(answer); answer = await send()) {
    sent.push(answer);
    expect(sent.length, `nothing limits ${what}`).toBeLessThan(maxSent);
  }

  return sent;
}

function isRefusal({ status }: Answer): boolean {
  return status === 429;
}

/** Lowers a limit until the environment is restored. */
export function limitTo(name: RateLimitName, small: number): void {
  vi.stubEnv(rateLimits[name].variable, String(small));
}

/**
 * Returns the number of requests that the real limit allows in an hour, as a multiple of the small
 * limit.
 */
function perHour(name: RateLimitName, small: number): number {
  const { limit, windowSeconds } = rateLimits[name];

  return (limit / small) * Math.max(1, hourSeconds / windowSeconds);
}

type MeteredCall = { readonly keys: readonly string[]; readonly writeUnits: number };

/**
 * Returns the units of a call. Small limits are counted with each request, and real limits in
 * shares.
 */
function writeUnitsOf({ keys, writeUnits }: MeteredCall): number {
  const [, name = ''] = /^RATE#(\w+)#/.exec(keys[0] ?? '') ?? [];
  const policy: RateLimitPolicy | undefined = rateLimits[name as RateLimitName];

  return policy?.inShares ? writeUnits * unitsPerRequest(policy.limit) : writeUnits;
}

function sizeOf(body: unknown): number {
  return Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
}

export function sumOf(lines: readonly Line[]): number {
  return lines.reduce((usd, { usdPerHour }) => usd + usdPerHour, 0);
}

/** The most expensive of the floods that share a limit. */
export function dearestOf(lines: readonly Line[]): number {
  return Math.max(...lines.map(({ usdPerHour }) => usdPerHour));
}
