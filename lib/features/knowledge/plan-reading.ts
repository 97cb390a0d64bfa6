import { dayMs } from '#lib/platform/clock.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { Source } from './source.ts';

/** A file whose upload is not completed by then is deleted. */
export const abandonedAfterMs = dayMs;

/** Plans the reading of a source, or the removal of its files if it was deleted. */
export function planReading(
  { organizationId, id }: Pick<Source, 'organizationId' | 'id'>,
  delayMs = 0,
): Write {
  return planWork('knowledgeReading', {
    owner: knowledgeKeys.knowledgeSource(organizationId, id),
    payload: { organizationId, sourceId: id },
    delayMs,
  });
}
