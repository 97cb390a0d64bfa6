import { withLink } from '#lib/features/attribution/attribution.ts';
import {
  planConversionCount,
  withConvertedBy,
} from '#lib/features/leads/analytics/conversion-counts.ts';
import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import {
  requireOwnStage,
  requirePipeline,
  type Stage,
} from '#lib/features/leads/pipelines/pipeline.ts';
import { findNotifiedAddress } from '#lib/features/organizations/members.ts';
import { fullName, requireUser } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changedFields } from '#lib/platform/db/changes-something.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  change,
  type ExtraWrites,
  ensure,
  noExtraWrites,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, notFound, rejectProblems } from '#lib/platform/errors/failures.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { assignedMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import { type LeadStatus, maxTags } from '#schemas/leads.ts';
import { type Activity, planActivities, recordActivity } from './activities.ts';
import type { CustomField } from './custom-field.ts';
import { fieldsFor, mergedValues, valueProblems } from './custom-values.ts';
import { asRead, guardedFields, type Lead, requireLead } from './lead.ts';
import { planLeadCount } from './lead-counters.ts';
import { planLeadChangedEvents } from './lead-events.ts';
import { planTagChange, tagChanges, withTags } from './lead-tags.ts';

function planLeadChange(
  before: Lead,
  after: Lead,
  activities: readonly Activity[],
): readonly Write[] {
  const { organizationId, id } = before;
  const isGuarded = guardedFields.some((field) => before[field] !== after[field]);

  return [
    change(leadKeys.lead(organizationId, id), {
      set: {
        ...changedFields(before, after),
        ...(before.value === after.value ? {} : { rank: after.value ?? null }),
      },
      ...(isGuarded ? { when: asRead(before) } : {}),
      onConditionFailed: (stored) =>
        stored
          ? new ConditionNotMetError(leadKeys.lead(organizationId, id), stored)
          : notFound('Lead'),
    }),
    ...planLeadCount(before, after),
    ...planConversionCount(before, after),
    ...planTagChange(before, after),
    ...planActivities(organizationId, activities),
  ];
}

async function applyChange(
  before: Lead,
  wanted: Lead,
  activities: readonly Activity[],
  extraWrites: ExtraWrites<Lead> = noExtraWrites,
): Promise<Lead> {
  const [after, eventWrites] = await Promise.all([
    withConvertedBy(before, wanted),
    planLeadChangedEvents(before, wanted),
  ]);
  await write(
    ...(await extraWrites(after)),
    ...planLeadChange(before, after, activities),
    ...eventWrites,
  );

  return after;
}

function withStatus(lead: Lead, status: LeadStatus, now: string): Lead {
  if (lead.status === status) {
    return lead;
  }
  const { convertedAt: _, ...rest } = lead;

  return { ...rest, status, ...(status === 'CONVERTED' ? { convertedAt: now } : {}) };
}

export type LeadPatch = BodyOf<typeof contracts.updateLead>;

/**
 * Updates the given fields of a lead. Setting a status does not change the stage. An assignee who
 * left the organization stays assigned until replaced. A new assignee is emailed, unless they did it
 * themselves.
 *
 * @throws 404 for an unknown lead, 400 if a new assignee is not a member.
 */
export async function updateLead(
  organizationId: string,
  leadId: string,
  patch: LeadPatch,
  actorId: string,
): Promise<Lead> {
  return retryWhenOvertaken('lead', async () => {
    const before = await requireLead(organizationId, leadId);
    const [{ assignee, problems }, fields] = await Promise.all([
      findNewAssignee(before, patch.assignedToId),
      fieldsFor(organizationId, [patch.customFields]),
    ]);
    rejectProblems([...problems, ...valueProblems(fields, 'LEAD', patch.customFields)]);
    const after = patched(before, patch, fields);
    if (after === before) {
      return before;
    }
    const current = await makeRoomForTags(before, after);

    return applyChange(current, after, activitiesOf(before, after), async () =>
      assignee && assignee.userId !== actorId ? planAssignedMail(after, assignee, actorId) : [],
    );
  });
}

/** So that the other writes of a change fit into its transaction. */
const maxTagChanges = 30;

/** Removes former tags in advance if a change replaces too many for one transaction. */
async function makeRoomForTags(before: Lead, after: Lead): Promise<Lead> {
  if (tagChanges(before, after) <= maxTagChanges) {
    return before;
  }
  const kept = (before.tags ?? []).filter((tag) => after.tags?.includes(tag));

  return applyChange(before, { ...withTags(before, kept), updatedAt: after.updatedAt }, []);
}

async function findNewAssignee(
  { organizationId, assignedToId: formerId }: Lead,
  assigneeId: LeadPatch['assignedToId'],
): Promise<{ readonly assignee?: Membership; readonly problems: readonly string[] }> {
  if (!assigneeId || assigneeId === formerId) {
    return { problems: [] };
  }
  const assignee = await findMembership(organizationId, assigneeId);

  return assignee
    ? { assignee, problems: [] }
    : { problems: ['assignedToId must be a member of the organization'] };
}

async function planAssignedMail(
  { organizationId, id, contactId }: Lead,
  assignee: Membership,
  actorId: string,
): Promise<readonly Write[]> {
  const [to, assigner, contact] = await Promise.all([
    findNotifiedAddress(assignee, 'assigned'),
    requireUser(actorId),
    get<Contact>(leadKeys.contact(organizationId, contactId)),
  ]);
  if (!to) {
    return [];
  }
  const mail = assignedMail({
    to,
    assignerName: fullName(assigner),
    what: 'lead',
    id,
    customerName: contact?.name ?? '',
  });

  return [await planMail(organizationKeys.organization(organizationId), mail)];
}

function patched(
  before: Lead,
  { status, tags, customFields, ...given }: LeadPatch,
  fields: readonly CustomField[] = [],
): Lead {
  const now = timestamp();
  const tagged = tags === undefined ? before : withTags(before, [...new Set(tags)]);
  const moved = status === undefined ? tagged : withStatus(tagged, status, now);
  const { customValues: stored } = before;
  const customValues = mergedValues(fields, 'LEAD', customFields, { stored }) ?? null;
  const changed = { ...moved } as Record<string, unknown>;
  for (const [field, value] of Object.entries({ ...given, customValues })) {
    if (value === null) {
      delete changed[field];
    } else if (value !== undefined) {
      changed[field] = value;
    }
  }
  const fieldNames = [...new Set([...Object.keys(before), ...Object.keys(changed)])];
  const isChanged = fieldNames.some((field) => before[field as keyof Lead] !== changed[field]);

  return isChanged ? ({ ...changed, updatedAt: now } as Lead) : before;
}

function activitiesOf(before: Lead, after: Lead): readonly Activity[] {
  const record = (type: Activity['type'], description: string, field: keyof Lead): Activity => ({
    id: newId(),
    leadId: before.id,
    type,
    description,
    metadata: { from: before[field] ?? null, to: after[field] ?? null },
    createdAt: timestamp(),
  });

  return [
    ...(before.status === after.status
      ? []
      : [
          record(
            'STATUS_CHANGED',
            `Status changed from ${before.status} to ${after.status}`,
            'status',
          ),
        ]),
    ...(before.assignedToId === after.assignedToId
      ? []
      : [record('ASSIGNED', after.assignedToId ? 'Assigned' : 'Unassigned', 'assignedToId')]),
  ];
}

/**
 * Adds tags to a lead.
 *
 * @throws 404 for an unknown lead, 400 if it would have too many tags.
 */
export function addTags(
  organizationId: string,
  leadId: string,
  tags: readonly string[],
  extraWrites: ExtraWrites<Lead>,
): Promise<Lead> {
  return retryWhenOvertaken('lead', async () => {
    const before = await requireLead(organizationId, leadId);
    const all = [...new Set([...(before.tags ?? []), ...tags])];
    if (all.length > maxTags) {
      throw badRequest(`tags must leave the lead with no more than ${maxTags} tags`);
    }

    return changeTags(before, all, extraWrites);
  });
}

/** Removes a tag from a lead. @throws 404 for an unknown lead */
export function removeTag(organizationId: string, leadId: string, tag: string): Promise<Lead> {
  return retryWhenOvertaken('lead', async () => {
    const before = await requireLead(organizationId, leadId);

    return changeTags(
      before,
      (before.tags ?? []).filter((other) => other !== tag),
    );
  });
}

async function changeTags(
  before: Lead,
  tags: readonly string[],
  extraWrites: ExtraWrites<Lead> = noExtraWrites,
): Promise<Lead> {
  const after = withTags(before, tags);
  if (after === before) {
    await write(...(await extraWrites(before)));

    return before;
  }

  return applyChange(before, { ...after, updatedAt: timestamp() }, [], extraWrites);
}

/**
 * Moves a lead to a stage of its pipeline. The lead takes the status of the stage, even if it is
 * already in that stage. The time in the previous stage is recorded for analytics.
 *
 * @throws 404 for an unknown lead, 400 for a stage of another pipeline.
 */
export function moveLead(
  organizationId: string,
  leadId: string,
  { stageId, notes }: BodyOf<typeof contracts.moveLeadStage>,
  extraWrites: ExtraWrites<Lead>,
): Promise<Lead> {
  return retryWhenOvertaken('lead', async () => {
    const before = await requireLead(organizationId, leadId);
    const pipeline = await requirePipeline(organizationId, before.pipelineId);
    const stage = requireOwnStage(pipeline, stageId);
    if (stageId === before.stageId) {
      return moveWithinStage(stage, before, notes, extraWrites);
    }
    const moved = enteringStage(before, stageId);
    const after = stage.status ? withStatus(moved, stage.status, moved.updatedAt) : moved;
    const from = pipeline.stages.find(({ id }) => id === before.stageId)?.name ?? 'a stage';
    const activity: Activity = {
      id: newId(),
      leadId,
      type: 'STAGE_CHANGED',
      description: `Moved from ${from} to ${stage.name}`,
      metadata: { from: before.stageId, to: stageId, ...(notes ? { notes } : {}) },
      createdAt: after.updatedAt,
    };

    return applyChange(before, after, [activity, ...activitiesOf(before, after)], extraWrites);
  });
}

/** Only the status and notes can change. */
async function moveWithinStage(
  stage: Stage,
  before: Lead,
  notes: string | null | undefined,
  extraWrites: ExtraWrites<Lead>,
): Promise<Lead> {
  const { organizationId, id: leadId } = before;
  const after = patched(before, { status: stage.status ?? undefined });
  const note = {
    type: 'STAGE_CHANGED',
    description: `Remained in ${stage.name}`,
    metadata: { from: stage.id, to: stage.id, notes },
  } as const;
  if (after !== before) {
    const noted = notes ? [{ ...note, id: newId(), leadId, createdAt: after.updatedAt }] : [];

    return applyChange(before, after, [...noted, ...activitiesOf(before, after)], extraWrites);
  }
  if (notes) {
    await recordActivity(organizationId, leadId, note, () => extraWrites(before));
  }

  return before;
}

function enteringStage(lead: Lead, stageId: string): Lead {
  const now = timestamp();
  const ms = Math.max(0, Date.parse(now) - Date.parse(lead.stageEnteredAt));
  const former = lead.stays[lead.stageId] ?? { count: 0, ms: 0 };

  return {
    ...lead,
    stageId,
    stageEnteredAt: now,
    stays: {
      ...lead.stays,
      [lead.stageId]: { count: former.count + 1, ms: former.ms + ms },
    },
    updatedAt: now,
  };
}

/**
 * Plans to attribute a lead to the link that its customer followed, unless it already has a link.
 */
export function planLeadLink(lead: Lead, url: string): readonly Write[] {
  const key = leadKeys.lead(lead.organizationId, lead.id);
  const { attribution } = lead;
  if (!attribution || attribution.link !== undefined) {
    return [ensure(key)];
  }
  const set = { attribution: withLink(attribution, url), updatedAt: timestamp() };

  return [change(key, { set, when: asRead(lead) }), ...planLeadCount(lead, { ...lead, ...set })];
}
