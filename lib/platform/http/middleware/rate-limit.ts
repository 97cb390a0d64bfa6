import { sessionInvalid } from '#lib/platform/errors/failures.ts';
import type { HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import {
  consume,
  rateLimitHeaders,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type { Contract } from '#schemas/contract.ts';
import { rateLimits } from '#schemas/rate-limits.ts';

/**
 * Counts the request against its limit while session and membership are loading. A missing session
 * is reported before an exceeded limit.
 */
export function rateLimit({ rateLimit: name }: Contract): Middleware {
  if (!name) {
    return { before: () => undefined };
  }

  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      const { state } = event;
      const subject =
        rateLimits[name].per === 'ip' ? state.clientIp : (state.claims?.userId ?? state.clientIp);
      const [identity, counted] = await Promise.all([state.identity, consume(name, subject)]);
      if (state.claims && !identity?.session) {
        throw sessionInvalid();
      }
      Object.assign(state.replyHeaders, rateLimitHeaders([counted]));
      requireAllowed([counted]);
    },
  };
}
