import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { updateMedia as updateContract } from '#schemas/media.ts';
import { type Media, requireMedia } from './media.ts';
import { planMediaChange } from './media-writes.ts';

/** @throws 404 */
export function changeMedia(
  organizationId: string,
  mediaId: string,
  patch: BodyOf<typeof updateContract>,
): Promise<Media> {
  return retryWhenOvertaken('media', async () => {
    const before = await requireMedia(organizationId, mediaId);
    if (!changesSomething(before, patch)) {
      return before;
    }
    const { after, writes } = planMediaChange(before, patch);
    await write(...writes);

    return after;
  });
}
