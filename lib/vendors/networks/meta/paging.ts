import * as z from '#schemas/zod.ts';

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
