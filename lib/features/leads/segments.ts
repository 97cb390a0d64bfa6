import { compact } from '#lib/platform/compact.ts';
import type { ExtraWrites } from '#lib/platform/db/write.ts';
import { records } from '#lib/platform/records.ts';
import { listRecords, requireRecord, type SmallRecord } from '#lib/platform/small-record.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/segments.ts';
import type { SegmentFilter } from '#schemas/segments.ts';

export type Segment = SmallRecord & { readonly filter: SegmentFilter };

const segment = { resource: 'Segment', kind: 'SEGMENT' } as const;

export const segments = /* @__PURE__ */ records<Segment>(segment, {
  counter: 'SEGMENTS',
  quota: 'segments',
  uniqueName: ['SEGMENT_NAME_EXISTS', 'Segment name already exists'],
});

/** @throws 404 */
export function requireSegment(organizationId: string, id: string): Promise<Segment> {
  return requireRecord(segment, organizationId, id);
}

/** Returns all segments, newest first. */
export function listSegments(organizationId: string): Promise<readonly Segment[]> {
  return listRecords(segment, organizationId);
}

/** @throws 409 if the name is taken or the quota is exceeded. */
export function createSegment(
  organizationId: string,
  { name, filter }: BodyOf<typeof contracts.createSegment>,
  extraWrites: ExtraWrites<Segment>,
): Promise<Segment> {
  const fields = { name, filter: compact(filter) as SegmentFilter };

  return segments.create(organizationId, fields, extraWrites);
}

/** @throws 404; 409 if the name is taken. */
export function updateSegment(
  organizationId: string,
  id: string,
  { name, filter }: BodyOf<typeof contracts.updateSegment>,
): Promise<Segment> {
  return segments.update(organizationId, id, compact({ name, filter: filter && compact(filter) }));
}
