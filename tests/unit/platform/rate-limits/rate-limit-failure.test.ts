// Runs in a separate process: it mocks the DynamoDB client and loads the service several times
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { logger } from '#lib/platform/log/logger.ts';
import {
  consume,
  rateLimitError,
  rateLimitHeaders,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import {
  countMore,
  countRequest,
  type RequestLimit,
} from '#lib/platform/rate-limits/request-counter.ts';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';

const table = mockClient(DynamoDBDocumentClient);
const names = Object.keys(rateLimits) as RateLimitName[];
const closed = names.filter((name) => rateLimits[name].whenUnavailable === 'closed');
const open = names.filter((name) => rateLimits[name].whenUnavailable === 'open');
const inShares = names.filter((name): name is RequestLimit => 'inShares' in rateLimits[name]);

beforeEach(() => table.reset());
afterEach(() => {
  table.reset();
  vi.restoreAllMocks();
});

describe('when the counter is unavailable', () => {
  beforeEach(() => {
    // All requests are in one window.
    setClock(() => Date.parse('2026-01-15T09:30:00.000Z'));
    vi.spyOn(logger, 'error').mockReturnValue();
    table
      .on(UpdateCommand)
      .rejects(Object.assign(new Error('down'), { name: 'ServiceUnavailable' }));
  });

  it.each(closed)('the limit %s rejects calls', async (name) => {
    await expect(consume(name, 'somebody')).rejects.toThrow('down');
  });

  it.each(open)('the limit %s allows calls', async (name) => {
    expect(await consume(name, 'somebody')).toMatchObject({ allowed: true });
  });

  it.each(inShares)('an instance counts its own requests against the limit %s', async (name) => {
    vi.stubEnv(rateLimits[name].variable, '300');
    const allowed: boolean[] = [];
    for (let request = 1; request <= 302; request += 1) {
      const { state, written } = countRequest(name, 'somebody');
      allowed.push(state.allowed && ((await written)?.allowed ?? true));
    }

    expect(allowed.indexOf(false)).toBe(300);
    expect(allowed.at(-1)).toBe(false);
  });

  it('an instance counts the additional cost of a request, which does not fail', async () => {
    vi.stubEnv('REQUEST_LIMIT_PER_ORGANIZATION', '300');
    await countMore('organizationRequests', 'a large response', 300);

    const { state } = countRequest('organizationRequests', 'a large response');
    expect(state.allowed).toBe(false);
  });

  it('the limits for payments, login, and signup reject calls', () => {
    expect(closed).toEqual(
      expect.arrayContaining(['payment', 'signup', 'loginAddress', 'loginIp']),
    );
  });
});

describe('a client that exceeds its limit', () => {
  const instances = 20;
  const callsOfEach = 100;

  afterEach(() => {
    vi.resetModules();
  });

  async function newInstance() {
    vi.resetModules();
    const [limiter, clock] = await Promise.all([
      import('#lib/platform/rate-limits/rate-limiter.ts'),
      import('#lib/platform/clock.ts'),
    ]);
    clock.setClock(() => Date.parse('2026-01-15T09:30:00.000Z'));

    return limiter;
  }

  it('causes one write for each allowed call and one for each instance, at 2,000 calls per second', async () => {
    const { limit } = rateLimits.payment;
    let used = 0;
    table.on(UpdateCommand).callsFake(() => {
      if (used === limit) {
        throw new ConditionalCheckFailedException({ message: 'used up', $metadata: {} });
      }
      used += 1;

      return { Attributes: { used } };
    });
    const outcomes: boolean[] = [];
    for (let instance = 0; instance < instances; instance += 1) {
      const { consume: count } = await newInstance();
      // An instance processes one call at a time.
      for (let calls = 0; calls < callsOfEach; calls += 1) {
        outcomes.push((await count('payment', 'abuser')).allowed);
      }
    }

    expect(outcomes).toHaveLength(2_000);
    expect(outcomes.filter((allowed) => allowed)).toHaveLength(limit);
    // A counter is smaller than 1 KB, so each write costs one unit, even a rejected one.
    expect(table.commandCalls(UpdateCommand)).toHaveLength(limit + instances);
  });
});

describe('rateLimitHeaders and refusalOf', () => {
  const states = [
    {
      name: 'loginAddress',
      allowed: false,
      limit: 5,
      windowSeconds: 900,
      remaining: 0,
      resetSeconds: 30,
      giveBack: async () => undefined,
    },
    {
      name: 'loginIp',
      allowed: false,
      limit: 50,
      windowSeconds: 900,
      remaining: 0,
      resetSeconds: 40,
      giveBack: async () => undefined,
    },
    {
      name: 'signup',
      allowed: true,
      limit: 20,
      windowSeconds: 3600,
      remaining: 19,
      resetSeconds: 3000,
      giveBack: async () => undefined,
    },
  ] as const;

  it('returns each limit, its remaining calls, and its reset time', () => {
    expect(rateLimitHeaders(states)).toEqual({
      'ratelimit-policy': '"loginAddress";q=5;w=900, "loginIp";q=50;w=900, "signup";q=20;w=3600',
      ratelimit: '"loginAddress";r=0;t=30, "loginIp";r=0;t=40, "signup";r=19;t=3000',
    });
  });

  it('sets retry-after to the latest reset of the exceeded limits', () => {
    expect(rateLimitError(states)).toMatchObject({
      statusCode: 429,
      headers: { 'retry-after': '40' },
    });
  });

  it('returns no rejection when no limit is exceeded', () => {
    expect(rateLimitError(states.slice(2))).toBeUndefined();
  });
});
