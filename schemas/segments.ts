import { dateOrTime, id, name, optional, timestamp, total } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { leadStatus, segmentId, source, tag, value } from './leads.ts';
import * as z from './zod.ts';

const segmentName = name({ example: 'New VIPs' });
/** The id of a record that need not exist. A filter by it then matches nothing. */
const anyRecord = id();
const givenRecord = optional(anyRecord).meta({ example: null });
const moment = () =>
  dateOrTime('2026-01-15T09:30:00.000Z')
    .transform((given) => new Date(given).toISOString())
    .meta({ example: '2026-01-15T09:30:00.000Z', description: 'Exclusive. Dates start in UTC' });
const bound = value.meta({ example: 50_000, description: 'In cents, included' });

const filterInput = z
  .object({
    status: optional(leadStatus),
    pipelineId: givenRecord,
    stageId: givenRecord,
    source: optional(source),
    assignedToId: givenRecord,
    tag: optional(tag),
    campaignId: givenRecord,
    createdAfter: optional(moment()),
    createdBefore: optional(moment()),
    valueMin: optional(bound),
    valueMax: optional(bound),
  })
  .meta({ id: 'NewSegmentFilter' });

const filter = z.object({
  status: leadStatus.optional(),
  pipelineId: anyRecord.optional(),
  stageId: anyRecord.optional(),
  source: source.optional(),
  assignedToId: anyRecord.optional(),
  tag: tag.optional(),
  campaignId: anyRecord.optional(),
  createdAfter: timestamp().optional(),
  createdBefore: timestamp().optional(),
  valueMin: bound.optional(),
  valueMax: bound.optional(),
});

/** The conditions of a segment. */
export type SegmentFilter = z.infer<typeof filter>;

const segment = z
  .object({
    id: segmentId,
    name: z.string().meta({ example: 'New VIPs' }),
    filter: filter.meta({ description: 'The conditions that were given' }),
    count: z.int().min(0).meta({ example: 1, description: 'Leads that match now' }),
    isCountExact: z.boolean().meta({
      example: true,
      description: 'False if there were too many leads to count. Then `count` is a lower bound',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Segment' });

const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

export const createSegment = contract({
  operationId: 'createSegment',
  method: 'POST',
  path: '/leads/{organization_id}/segments',
  summary: 'Create a segment of leads',
  description:
    'A segment is a named filter. Leads must meet all conditions; without any, all leads match.',
  access: writes,
  body: z.object({ name: segmentName, filter: filterInput }),
  status: 201,
  response: z.object({ segment }),
  message: 'Segment created successfully',
  errors: ['SEGMENT_NAME_EXISTS', 'QUOTA_EXCEEDED'],
});

export const listSegments = contract({
  operationId: 'listSegments',
  path: '/leads/{organization_id}/segments',
  summary: 'List segments, newest first',
  access: reads,
  response: z.object({ segments: z.array(segment), total }),
  message: 'Segments retrieved successfully',
});

export const getSegment = contract({
  operationId: 'getSegment',
  path: '/leads/{organization_id}/segments/{segment_id}',
  summary: 'Get a segment',
  access: reads,
  response: z.object({ segment }),
  message: 'Segment retrieved successfully',
  errors: ['SEGMENT_NOT_FOUND'],
});

export const updateSegment = contract({
  operationId: 'updateSegment',
  method: 'PATCH',
  path: '/leads/{organization_id}/segments/{segment_id}',
  summary: 'Update a segment',
  description: '`filter` replaces all conditions.',
  access: writes,
  body: z.object({ name: segmentName.optional(), filter: filterInput.optional() }),
  response: z.object({ segment }),
  message: 'Segment updated successfully',
  errors: ['SEGMENT_NOT_FOUND', 'SEGMENT_NAME_EXISTS'],
});

export const deleteSegment = contract({
  operationId: 'deleteSegment',
  method: 'DELETE',
  path: '/leads/{organization_id}/segments/{segment_id}',
  summary: 'Delete a segment',
  description: 'Its leads stay.',
  access: writes,
  message: 'Segment deleted successfully',
  errors: ['SEGMENT_NOT_FOUND'],
});
