import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import {
  callerIdOf,
  type HttpRequest,
  type Middleware,
  type RequestState,
} from '#lib/platform/http/request.ts';
import {
  consume,
  type RateLimitState,
  rateLimitHeaders,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import {
  countMore,
  countRequest,
  type RequestLimit,
} from '#lib/platform/rate-limits/request-counter.ts';
import type { Contract } from '#schemas/contract.ts';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';

/**
 * Counts the request against the limits of its user or IP address, while the session and membership
 * are loading. A missing session is reported before an exceeded limit. An API key is counted after
 * it is loaded, because an invented key has no signature to check and must cause no writes. An
 * invented key counts against its IP address in memory. Valid keys from that IP address still work,
 * because clients share addresses.
 */
export function rateLimit(contract: Contract): Middleware {
  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      const { state } = event;
      if (contract.access.kind === 'operator') {
        await requireOperatorKey(state);
      } else if (state.identity && !state.claims) {
        await requireApiKey(state);
      }
      const callerId = callerIdOf(state);
      const [identity, ...counted] = await Promise.all([
        state.identity,
        ...(contract.rateLimit ? [countOwn(contract, contract.rateLimit, state)] : []),
        ...(callerId ? [count('requests', callerId, state)] : []),
      ]);
      if (state.claims && !identity?.session) {
        throw sessionInvalid();
      }
      apply(state, counted);
    },
  };
}

async function requireApiKey(state: RequestState): Promise<void> {
  const { apiKey } = (await state.identity) ?? {};
  if (!apiKey) {
    apply(state, [countRequest('rejectedKeys', state.clientIp, false).state]);
    throw sessionInvalid();
  }
  state.apiKey = apiKey;
}

/**
 * A wrong key counts as a failed sign-in of the IP address. A valid key works even after too many
 * failures.
 */
async function requireOperatorKey(state: RequestState): Promise<void> {
  const { operatorKeyId } = (await state.identity) ?? {};
  if (!operatorKeyId) {
    apply(state, [await consume('loginIp', state.clientIp)]);
    throw sessionInvalid();
  }
  state.operatorKeyId = operatorKeyId;
}

/**
 * For each full amount of this size, a response counts as one more request, because reading and
 * sending it costs as much.
 */
const bytesPerRequest = 50_000;

/**
 * Counts the request of a member against the organization's limit. Large responses count as several
 * requests, because an export can cost a hundred times as much as another request.
 */
export function organizationRateLimit(): Middleware {
  const countSize = ({ event: { state }, response }: HttpRequest): void => {
    const bytes = state.answerBytes ?? Buffer.byteLength(response?.body ?? '');
    const more = Math.floor(bytes / bytesPerRequest);
    if (state.membership && more > 0) {
      state.counting.push(countMore('organizationRequests', state.membership.organizationId, more));
    }
  };

  return {
    before: async ({ event: { state } }: HttpRequest): Promise<void> => {
      if (state.membership) {
        apply(state, [await count('organizationRequests', state.membership.organizationId, state)]);
      }
    },
    after: countSize,
    onError: countSize,
  };
}

function countOwn(
  { role }: Contract,
  name: RateLimitName,
  state: RequestState,
): Promise<RateLimitState> {
  const subject =
    rateLimits[name].per === 'ip' ? state.clientIp : (callerIdOf(state) ?? state.clientIp);

  return isRequestLimit(name)
    ? count(name, subject, state, role !== 'static')
    : consume(name, subject);
}

function isRequestLimit(name: RateLimitName): name is RequestLimit {
  return 'inShares' in rateLimits[name];
}

/**
 * Waits for the write only if the limit is exact. Otherwise the request continues, and if the limit
 * turns out to be used up, the next requests are rejected.
 */
async function count(
  name: RequestLimit,
  subject: string,
  state: RequestState,
  isShared = true,
): Promise<RateLimitState> {
  const counted = countRequest(name, subject, isShared);
  if (counted.written && !counted.isExact) {
    state.counting.push(counted.written);

    return counted.state;
  }

  return counted.written ?? counted.state;
}

/** Sets the headers. @throws 429 if a limit is exceeded. */
function apply({ replyHeaders }: RequestState, counted: readonly RateLimitState[]): void {
  if (counted.length > 0) {
    appendHeaders(replyHeaders, rateLimitHeaders(counted));
    requireAllowed(counted);
  }
}

/** Appends to existing headers, because other limits have already been added. */
export function appendHeaders(
  headers: Record<string, string>,
  added: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(added)) {
    headers[name] = headers[name] ? `${headers[name]}, ${value}` : value;
  }
}
