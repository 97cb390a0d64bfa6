import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRejectionError } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import type { RateState } from '../rate-limiter.ts';
import type { Grant } from '../token-store.ts';

const windowMs = 15 * 60 * 1_000;

type Limit = { readonly method: string; readonly path: RegExp; readonly calls: number };

/** Calls per user and 15 minutes. */
const limits: readonly Limit[] = [
  { method: 'POST', path: /^\/2\/tweets$/, calls: 100 },
  { method: 'DELETE', path: /^\/2\/tweets\/[^/]+$/, calls: 50 },
  { method: 'PUT', path: /^\/2\/tweets\/[^/]+\/hidden$/, calls: 50 },
  { method: 'GET', path: /^\/2\/tweets$/, calls: 5_000 },
  { method: 'GET', path: /^\/2\/users\/me$/, calls: 75 },
  { method: 'GET', path: /^\/2\/users\/[^/]+\/tweets$/, calls: 900 },
  { method: 'GET', path: /^\/2\/users\/[^/]+\/mentions$/, calls: 300 },
  { method: 'POST', path: /^\/2\/dm_conversations\//, calls: 15 },
];

type Problem = {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly type?: string;
  readonly messages?: readonly string[];
};

/** Creates an error in X's format: a problem document, with separate errors for parameters. */
export function apiError({ status, title, detail, type = 'about:blank', messages }: Problem) {
  return jsonAnswer(status, {
    ...(messages ? { errors: messages.map((message) => ({ parameters: {}, message })) } : {}),
    title,
    detail,
    type,
    status,
  });
}

/** Throws an API error. */
export function reject(failure: Problem): never {
  throw new NetworkRejectionError(apiError(failure));
}

export function rejectInvalid(...messages: readonly string[]): never {
  reject({
    status: 400,
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
    messages,
  });
}

export function rejectForbidden(detail: string): never {
  reject({ status: 403, title: 'Forbidden', detail });
}

export function rejectUnknown(what: string, id: string): never {
  reject({
    status: 404,
    title: 'Not Found Error',
    detail: `Could not find ${what} with id: [${id}].`,
    type: 'https://api.x.com/2/problems/resource-not-found',
  });
}

/** Creates an outage. */
export function outage(status: number, message: string): SandboxAnswer {
  return apiError({
    status,
    title: status === 503 ? 'Service Unavailable' : 'Internal Server Error',
    detail: message,
  });
}

function bearerOf(request: SandboxRequest): string {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/**
 * Returns the grant of the call's token. Rejects an invalid token, a missing scope or too many
 * calls.
 */
export function requireGrant({ world, request }: NetworkCall, ...scopes: readonly string[]): Grant {
  const { state, grant } = world.tokens.check(bearerOf(request));

  if (state !== 'valid' || grant === undefined) {
    return reject({ status: 401, title: 'Unauthorized', detail: 'Unauthorized' });
  }

  if (scopes.some((scope) => !grant.scopes.includes(scope))) {
    rejectForbidden('Forbidden');
  }

  const limit = limitOf(request);
  const state429 = limit && world.rates.take(rateKey(limit, grant), limit.calls, windowMs);

  if (state429?.isExceeded) {
    throw new NetworkRejectionError(
      apiError({ status: 429, title: 'Too Many Requests', detail: 'Too Many Requests' }),
    );
  }

  return grant;
}

/** Requires the app token, which manages webhooks. */
export function requireApp({ world, request }: NetworkCall): void {
  if (bearerOf(request) !== world.app.appToken) {
    reject({ status: 401, title: 'Unauthorized', detail: 'Unauthorized' });
  }
}

function limitOf({ method, path }: SandboxRequest): Limit | undefined {
  return limits.find((one) => one.method === method && one.path.test(path));
}

function rateKey({ method, path }: Limit, { userId }: Grant): string {
  return `${method} ${path.source} ${userId}`;
}

/** Returns the headers with the caller's rate limit. */
export function rateHeaders(
  world: NetworkWorld,
  request: SandboxRequest,
): Readonly<Record<string, string>> {
  const limit = limitOf(request);
  const { grant } = world.tokens.check(bearerOf(request));

  if (limit === undefined || grant === undefined) {
    return {};
  }

  const state: RateState = world.rates.peek(rateKey(limit, grant), limit.calls, windowMs);

  return {
    'x-rate-limit-limit': String(state.limit),
    'x-rate-limit-remaining': String(state.remaining),
    'x-rate-limit-reset': String(Math.ceil(state.resetAt.getTime() / 1_000)),
  };
}

/** Parses a JSON body. */
export function bodyOf(request: SandboxRequest): unknown {
  return parseJson(request.body) ?? {};
}
