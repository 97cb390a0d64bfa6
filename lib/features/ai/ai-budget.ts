import { requireAllowed } from '#lib/platform/rate-limits/rate-limiter.ts';
import { countRequest } from '#lib/platform/rate-limits/request-counter.ts';

/**
 * Counts a call to the AI service against the organization's daily budget. Credits cannot limit the
 * calls, because an ignored message and a failed call cost none.
 *
 * @returns whether the call may be made.
 */
export async function takeAiCall(organizationId: string): Promise<boolean> {
  return (await count(organizationId)).allowed;
}

/** @throws 429 if the remaining budget is too small for these calls. */
export async function requireAiCalls(organizationId: string, calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    requireAllowed([await count(organizationId)]);
  }
}

async function count(organizationId: string) {
  const { state, written } = countRequest('aiCalls', organizationId);

  return (await written) ?? state;
}
