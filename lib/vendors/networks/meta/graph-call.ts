import { config } from '#lib/platform/config.ts';
import * as z from '#schemas/zod.ts';

export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** True if a path contains this object or one of its edges. */
export function isBelow(path: string, id: string): boolean {
  return `${path}/`.startsWith(`${pathOf(id)}/`);
}

/**
 * The timeout of calls during which Meta fetches or publishes media. It is twice the usual timeout.
 * With a longer one, a request that publishes immediately could time out.
 */
export function mediaTimeoutMs(): number {
  return 2 * config.networkTimeoutMs;
}

/** The paging of a list of the Graph API. */
export const paging = z
  .object({
    cursors: z.object({ after: z.string().optional() }).optional(),
    next: z.string().optional(),
  })
  .optional();

/** Returns the cursor of the next page. `next` is a URL with the token, so only the cursor is used. */
export function nextCursorOf(pages: z.output<typeof paging>): string | undefined {
  return pages?.next === undefined ? undefined : pages.cursors?.after;
}
