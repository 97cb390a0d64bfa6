import type { Contract } from '#schemas/contract.ts';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';

/** Properties of an operation that its contract implies. */

export function isUnsafe(contract: Contract): boolean {
  return contract.method !== 'GET';
}

export function isIdempotent(contract: Contract): boolean {
  return contract.method === 'POST' && contract.idempotent !== false;
}

/** True if a request can be invalid. Raw operations ignore unknown input. */
export function hasInput(contract: Contract): boolean {
  const { envelope, params, query, body } = contract;
  const fields = [params, query, body].flatMap((schema) => Object.keys(schema?.shape ?? {}));

  return (
    envelope !== 'raw' ||
    fields.length > 0 ||
    hearsOrganizationHeader(contract) ||
    isIdempotent(contract)
  );
}

/** Returns the limits of this operation, in addition to the limits of every request. */
export function ownLimitsOf(contract: Contract): readonly RateLimitName[] {
  return [
    ...(contract.rateLimit ? [contract.rateLimit] : []),
    ...(contract.countedInHandler ?? []),
  ];
}

export function limitsOf(contract: Contract): readonly RateLimitName[] {
  return [
    ...ownLimitsOf(contract),
    ...(contract.access.kind === 'public' ? [] : (['requests'] as const)),
    ...(contract.access.kind === 'member' ? (['organizationRequests'] as const) : []),
  ];
}

/** True if it uses the current organization, which a header can override. */
export function hearsOrganizationHeader({ access }: Contract): boolean {
  return access.kind !== 'public' && ['current', 'optional'].includes(access.organization ?? '');
}

/** True if it responds with its own files and calls no other service. */
export function isStatic(contract: Contract): boolean {
  return contract.role === 'static';
}

const holders = {
  user: 'user',
  ip: 'IP address',
  address: 'email address',
  device: 'browser',
  organization: 'organization',
  account: 'social account',
} as const;

/** Returns a limit as text, such as "20 requests in 1 hour per IP address". */
export function limitInWords(name: RateLimitName): string {
  const { limit, windowSeconds, per } = rateLimits[name];
  const holder = holders[per];

  return `${limit} requests ${windowInWords(windowSeconds)} per ${holder}`;
}

function windowInWords(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? units[2];
  const count = seconds / size;

  return count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `in ${count} ${unit}s`;
}
