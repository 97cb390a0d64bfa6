import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Alongside,
  applied,
  ConditionNotMetError,
  change,
  create,
  remove,
  write,
} from '#lib/platform/db/write.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { planNameChange, planNameClaim, planNameRelease } from '#lib/platform/unique-names.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/segments.ts';
import type { SegmentFilter } from '#schemas/segments.ts';

export type Segment = {
  readonly id: string;
  readonly name: string;
  readonly filter: SegmentFilter;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const kind = 'SEGMENT';

function counterOf(organizationId: string) {
  return keys.counter(organizationId, 'SEGMENTS');
}

/** @throws 409 if the name is taken or the quota is used up. */
export async function createSegment(
  organizationId: string,
  { name, filter }: BodyOf<typeof contracts.createSegment>,
  alongside: Alongside<Segment>,
): Promise<Segment> {
  const now = timestamp();
  const segment: Segment = {
    id: newId(),
    name,
    filter: compact(filter) as SegmentFilter,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await write(
    ...(await alongside(segment)),
    planNameClaim(organizationId, kind, segment),
    create(keys.segment(organizationId, segment.id), { ...segment, organizationId }),
    planQuotaUse(counterOf(organizationId), 'segments'),
  );

  return segment;
}

/** @throws 404 */
export async function requireSegment(organizationId: string, id: string): Promise<Segment> {
  return requireFound(await get<Segment>(keys.segment(organizationId, id)), 'Segment');
}

/** Returns all segments, newest first. */
export function listSegments(organizationId: string): Promise<readonly Segment[]> {
  return query<Segment>(ranges.segments(organizationId), { newestFirst: true });
}

/** @throws 404; 409 if the name is taken. */
export function updateSegment(
  organizationId: string,
  id: string,
  { name, filter }: BodyOf<typeof contracts.updateSegment>,
): Promise<Segment> {
  const patch = compact({ name, filter: filter && (compact(filter) as SegmentFilter) });

  return retryWhenOvertaken('segment', async () => {
    const before = await requireSegment(organizationId, id);
    if (!changesSomething(before, patch)) {
      return before;
    }
    const set = { ...patch, version: before.version + 1, updatedAt: timestamp() };
    const key = keys.segment(organizationId, id);
    await write(
      change(key, {
        set,
        when: equals('version', before.version),
        refused: (stored) => (stored ? new ConditionNotMetError(key, stored) : notFound('Segment')),
      }),
      ...planNameChange(organizationId, kind, before, name),
    );

    return applied(before, set);
  });
}

/** @throws 404 */
export async function deleteSegment(organizationId: string, id: string): Promise<void> {
  await retryWhenOvertaken('segment', async () => {
    const segment = await requireSegment(organizationId, id);
    await write(
      remove(keys.segment(organizationId, id), { when: equals('version', segment.version) }),
      planNameRelease(organizationId, kind, segment),
      planQuotaRelease(counterOf(organizationId)),
    );
  });
}
