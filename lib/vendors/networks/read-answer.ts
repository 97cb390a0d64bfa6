import type { Platform } from '#schemas/platforms.ts';
import type * as z from '#schemas/zod.ts';
import type { NetworkAnswer } from './call-network.ts';
import { NetworkError } from './network-error.ts';

/**
 * Parses the body of a response with a schema.
 *
 * @throws NetworkError if the body does not match: `unavailable`, or `outcomeUnknown` if the call
 * may have taken effect.
 */
export function readAnswer<T>(
  platform: Platform,
  schema: z.ZodType<T>,
  answer: NetworkAnswer,
  kind: 'unavailable' | 'outcomeUnknown' = 'unavailable',
): T {
  const parsed = schema.safeParse(answer.json);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') || 'body';

    throw new NetworkError(platform, kind, {
      message: `${platform} returned ${answer.status} without a valid ${where}`,
      cause: parsed.error,
    });
  }

  return parsed.data;
}
