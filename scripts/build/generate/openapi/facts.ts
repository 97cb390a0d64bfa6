import type { Contract } from '#schemas/contract.ts';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';

/** What follows from a contract without being written in it. */

export function isUnsafe(contract: Contract): boolean {
  return contract.method !== 'GET';
}

export function isIdempotent(contract: Contract): boolean {
  return contract.method === 'POST' && contract.idempotent !== false;
}

export function limitsOf(contract: Contract): readonly RateLimitName[] {
  return [
    ...(contract.rateLimit ? [contract.rateLimit] : []),
    ...(contract.countedInHandler ?? []),
  ];
}

/** It works in the current organization, which a header may replace. */
export function hearsOrganizationHeader({ access }: Contract): boolean {
  return access.kind !== 'public' && ['current', 'optional'].includes(access.organization ?? '');
}

/** It answers from files of its own, and asks nothing else. */
export function isStatic(contract: Contract): boolean {
  return contract.role === 'static';
}

/** "20 requests in 1 hour per IP address". */
export function limitInWords(name: RateLimitName): string {
  const { limit, windowSeconds, per } = rateLimits[name];
  const holder = { user: 'user', ip: 'IP address', address: 'email address' }[per];

  return `${limit} requests in ${durationInWords(windowSeconds)} per ${holder}`;
}

function durationInWords(seconds: number): string {
  const [unit, size] = seconds % 3600 === 0 ? (['hour', 3600] as const) : (['minute', 60] as const);
  const count = seconds / size;

  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
