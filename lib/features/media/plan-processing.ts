import { dayMs } from '#lib/platform/clock.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { Media } from './media.ts';

/** An upload that is not completed by then is deleted. */
export const abandonedAfterMs = dayMs;

/** Plans the processing. With a delay, plans the removal of leftovers. */
export function planProcessing({ organizationId, id }: Media, delayMs = 0): Write {
  return planWork('mediaProcessing', {
    owner: mediaKeys.media(organizationId, id),
    payload: { organizationId, mediaId: id },
    delayMs,
  });
}
