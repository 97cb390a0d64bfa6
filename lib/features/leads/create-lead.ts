import { isDeepStrictEqual } from 'node:util';
import type { Attribution } from '#lib/features/attribution/attribution.ts';
import {
  type Contact,
  type ContactDetails,
  contactEvent,
  findContactByEmail,
  planContact,
  planContactChange,
  requireContact,
} from '#lib/features/leads/contacts/contacts.ts';
import {
  firstStage,
  type Pipeline,
  requirePipeline,
} from '#lib/features/leads/pipelines/pipeline.ts';
import { timezoneOf } from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, create, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { apiError, notFound, overtaken, rejectProblems } from '#lib/platform/errors/failures.ts';
import { newId, timeOfId } from '#lib/platform/ids.ts';
import { dayIn } from '#lib/platform/time-zone.ts';
import { organizationEventPlanner } from '#lib/platform/webhooks/organization-events.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import type { CustomField } from './custom-field.ts';
import { type CustomValues, fieldsFor, mergedValues, valueProblems } from './custom-values.ts';
import type { Lead } from './lead.ts';
import { planLeadCount } from './lead-counters.ts';
import { leadEvent } from './lead-events.ts';
import { planTagChange } from './lead-tags.ts';

export type NewLead = Omit<BodyOf<typeof contracts.createLead>, 'contactId'> & {
  readonly conversationId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly socialAccountId?: string | undefined;
  readonly contentPostId?: string | undefined;
  readonly attribution?: Attribution | undefined;
};

/** The data with which a new lead is created. */
type Surroundings = {
  readonly pipeline: Pipeline;
  readonly fields: readonly CustomField[];
  readonly timezone: string;
};

function newLead(
  organizationId: string,
  contactId: string,
  { pipeline, fields, timezone }: Surroundings,
  { tags, customFields, ...details }: NewLead,
) {
  const id = newId();
  // Filters by time compare ids, so the id and `createdAt` have the same time.
  const now = timestamp(0, timeOfId(id));
  const customValues = mergedValues(fields, 'LEAD', customFields);

  return {
    ...compact(details),
    ...(tags?.length ? { tags: [...new Set(tags)] } : {}),
    ...(customValues ? { customValues } : {}),
    id,
    organizationId,
    list: listOf('lead', id),
    contactId,
    stageId: firstStage(pipeline).id,
    status: 'NEW',
    stageEnteredAt: now,
    stays: {},
    createdAt: now,
    createdOn: dayIn(timeOfId(id), timezone),
    updatedAt: now,
  } as Lead;
}

/** The index `byRank` sorts leads by their value. */
export function asRanked(lead: Lead): Lead {
  return lead.value === undefined ? lead : { ...lead, rank: lead.value };
}

export const leadExists = 'Lead already exists for this contact and pipeline';

function duplicate() {
  return apiError('LEAD_EXISTS', leadExists);
}

function planLead(lead: Lead): readonly Write[] {
  return [
    create(
      leadKeys.leadClaim(lead.organizationId, lead.contactId, lead.pipelineId),
      { leadId: lead.id },
      duplicate,
    ),
    create(leadKeys.lead(lead.organizationId, lead.id), asRanked(lead)),
    ...planLeadCount(undefined, lead),
    ...planTagChange(undefined, lead),
  ];
}

export type CreatedLead = {
  readonly lead: Lead;
  readonly contact: Contact;
  readonly pipeline: Pipeline;
  /** Empty if neither the lead nor its contact has values. */
  readonly fields: readonly CustomField[];
};

/**
 * Creates a lead in the first stage of its pipeline. A contact can have one lead per pipeline.
 *
 * @throws 404 for an unknown contact or pipeline, 409 if the contact already has a lead there.
 */
export async function createLead(
  organizationId: string,
  { contactId, ...details }: BodyOf<typeof contracts.createLead>,
  extraWrites: ExtraWrites<CreatedLead>,
): Promise<CreatedLead> {
  const [pipeline, contact, fields, timezone, planEvents] = await Promise.all([
    requirePipeline(organizationId, details.pipelineId),
    requireContact(organizationId, contactId),
    fieldsFor(organizationId, [details.customFields]),
    timezoneOf(organizationId),
    organizationEventPlanner(organizationId),
  ]);
  const lead = newLead(organizationId, contactId, { pipeline, fields, timezone }, details);
  const oneMore = change(leadKeys.contact(organizationId, contactId), {
    add: { leadCount: 1 },
    when: absent('erasureId'),
    onConditionFailed: () => notFound('Contact'),
  });
  const created = { lead, contact, pipeline, fields };
  await write(
    ...(await extraWrites(created)),
    ...planLead(lead),
    oneMore,
    ...planEvents([leadEvent('lead.created', lead, contact, fields)]),
  );

  return created;
}

export type CreatedWithContact = CreatedLead & {
  readonly outcome: 'CREATED' | 'MERGED';
};

/**
 * Creates a lead together with its contact. If a contact with the email address exists, it is used,
 * and its missing details are filled in.
 */
export function createLeadWithContact(
  organizationId: string,
  person: ContactDetails,
  details: NewLead,
  extraWrites: ExtraWrites<CreatedWithContact>,
): Promise<CreatedWithContact> {
  return retryWhenOvertaken('lead', async () => {
    const [pipeline, known, fields, timezone, planEvents] = await Promise.all([
      requirePipeline(organizationId, details.pipelineId),
      findContactByEmail(organizationId, person.email),
      fieldsFor(organizationId, [details.customFields, person.customFields]),
      timezoneOf(organizationId),
      organizationEventPlanner(organizationId),
    ]);
    rejectProblems([
      ...valueProblems(fields, 'CONTACT', person.customFields, 'contact.'),
      ...valueProblems(fields, 'LEAD', details.customFields),
    ]);
    if (known?.erasureId) {
      throw overtaken('The contact is being erased. Try again');
    }
    if (known) {
      const read = { contact: known, pipeline, fields, timezone };

      return createForKnown(read, person, details, async (created) => [
        ...(await extraWrites(created)),
        ...planEvents([
          leadEvent('lead.created', created.lead, created.contact, fields),
          ...(created.isFilled ? [contactEvent('contact.updated', created.contact, fields)] : []),
        ]),
      ]);
    }
    const { contact, writes } = planContact(organizationId, compact(person), {
      fields,
      path: 'contact.',
      leadCount: 1,
    });
    const lead = newLead(organizationId, contact.id, { pipeline, fields, timezone }, details);
    const created = { lead, contact, pipeline, fields, outcome: 'CREATED' } as const;
    await write(
      ...(await extraWrites(created)),
      ...planRetryable(writes),
      ...planLead(lead),
      ...planEvents([
        contactEvent('contact.created', contact, fields),
        leadEvent('lead.created', lead, contact, fields),
      ]),
    );

    return created;
  });
}

/** Another request has claimed the address since it was read, so retry. */
function planRetryable([claim, ...others]: readonly Write[]): readonly Write[] {
  return claim
    ? [
        { ...claim, onConditionFailed: (stored) => new ConditionNotMetError(claim.key, stored) },
        ...others,
      ]
    : [];
}

async function createForKnown(
  { contact: known, ...surroundings }: Surroundings & Pick<CreatedLead, 'contact'>,
  person: ContactDetails,
  details: NewLead,
  extraWrites: ExtraWrites<CreatedWithContact & { readonly isFilled: boolean }>,
): Promise<CreatedWithContact> {
  const { organizationId, id } = known;
  const { pipeline, fields } = surroundings;
  const filled = compact({
    phone: known.phone ? undefined : person.phone,
    company: known.company ? undefined : person.company,
    customValues: filledValues(fields, known, person),
  });
  const lead = newLead(organizationId, id, surroundings, details);
  const [contactWrite, ...wordWrites] = planContactChange(known, filled);
  const isFilled = Object.keys(filled).length > 0;
  const contact = { ...known, ...filled } as Contact;
  const created = { lead, contact, pipeline, fields, outcome: 'MERGED' } as const;
  await write(
    ...(await extraWrites({ ...created, isFilled })),
    ...planLead(lead),
    ...(isFilled && contactWrite
      ? [planOneMoreLead(contactWrite), ...wordWrites]
      : [
          change(leadKeys.contact(organizationId, id), {
            add: { leadCount: 1 },
            when: absent('erasureId'),
          }),
        ]),
  );

  return created;
}

/** Returns the values, completed with those that the contact lacks. Undefined if it lacks none. */
function filledValues(
  fields: readonly CustomField[],
  { customValues }: Contact,
  { customFields }: ContactDetails,
): CustomValues | undefined {
  const given = mergedValues(fields, 'CONTACT', customFields, { path: 'contact.' });
  const filled = { ...given, ...customValues };

  return isDeepStrictEqual(filled, customValues ?? {}) ? undefined : filled;
}

/** A transaction can write each item only once, so the count is added to the same update. */
function planOneMoreLead(contactWrite: Write): Write {
  const { expression } = contactWrite;
  const addition = `ADD ${expression.name('leadCount')} ${expression.value(1)}`;

  return { ...contactWrite, update: `${contactWrite.update} ${addition}` };
}
