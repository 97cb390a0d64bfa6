import {
  email,
  id,
  isStorableJson,
  maxLength,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  queryInteger,
  says,
  text,
  timestamp,
} from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const leadId = id('0192f0c2-1a2b-7c3d-8e4f-5a6b7c8d9e0f');
const contactId = id('0192f0c2-1a2c-7d4e-9f50-6b7c8d9e0f1a');
const pipelineId = id('0192f0c2-1a2d-7e5f-a061-7c8d9e0f1a2b');
const stageId = id('0192f0c2-1a2e-7f60-b172-8d9e0f1a2b3c');
const activityId = id('0192f0c2-1a2f-7071-8283-9e0f1a2b3c4d');
const userId = id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f');
const conversationId = id('0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e');
const campaignId = id('0192f0c3-2b3d-7293-84a5-1a2b3c4d5e6f');
const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const contentPostId = id('0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081');

export const leadStatuses = ['NEW', 'QUALIFIED', 'CONTACTED', 'CONVERTED', 'LOST'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** What people and integrations may record. */
const activityTypes = [
  'EMAIL_SENT',
  'EMAIL_RECEIVED',
  'PHONE_CALL',
  'MEETING',
  'NOTE',
  'MESSAGE_SENT',
  'MESSAGE_RECEIVED',
] as const;
/** What the service records by itself. */
const serviceActivityTypes = ['STAGE_CHANGED', 'STATUS_CHANGED', 'ASSIGNED'] as const;
export type ActivityType = (typeof activityTypes)[number] | (typeof serviceActivityTypes)[number];

const leadStatus = z.enum(leadStatuses).meta({ example: 'NEW' });
const source = name({ example: 'website' });
const maxValueCents = 1_000_000_000_000;
const value = z
  .int()
  .min(0)
  .max(maxValueCents)
  .meta({ example: 50_000, description: 'Estimated value in cents' });
const notes = text({ max: maxLength.notes, example: 'Asked for the price of ten engines' });
const utm = name({ example: 'spring' });
const figure = z.number().meta({ example: 1 });
const percentage = z.number().meta({ example: 25, description: 'Percent, 0 to 100' });
const cents = z.number().meta({ example: 50_000, description: 'Cents' });
const seconds = z.number().meta({ example: 86_400, description: 'Seconds' });

const contactFields = {
  name: name({ example: 'Charles Babbage' }),
  email,
  phone: text({ max: 50, example: '+44 20 7946 0000' }),
  company: name({ example: 'Difference Ltd' }),
};

export const leadContact = z.object({
  id: contactId,
  name: z.string().meta({ example: 'Charles Babbage' }),
  email: z.string().meta({ example: 'ada@example.com' }),
  phone: orNull(z.string().meta({ example: '+44 20 7946 0000' })),
  company: orNull(z.string().meta({ example: 'Difference Ltd' })),
});

const contact = leadContact.extend({ createdAt: timestamp() });

const contactBody = z.object({
  name: contactFields.name,
  email: contactFields.email,
  phone: optional(contactFields.phone),
  company: optional(contactFields.company),
});

const stage = z.object({
  id: stageId,
  name: z.string().meta({ example: 'New' }),
  order: z.int().meta({ example: 1 }),
});

const pipelineSummary = z.object({
  id: pipelineId,
  name: z.string().meta({ example: 'Sales Pipeline' }),
  stages: z.array(stage),
});

const activity = z.object({
  id: activityId,
  leadId,
  type: z.enum([...activityTypes, ...serviceActivityTypes]).meta({ example: 'NOTE' }),
  description: z.string().meta({ example: 'Called back' }),
  metadata: z.record(z.string(), z.unknown()).meta({ example: { durationSeconds: 120 } }),
  createdAt: timestamp(),
});

export const leadRecord = z.object({
  id: leadId,
  contactId,
  pipelineId,
  stageId,
  source,
  value: orNull(value),
  status: leadStatus,
  assignedToId: orNull(userId),
  notes: orNull(notes),
  utmSource: orNull(utm),
  utmMedium: orNull(utm),
  utmCampaign: orNull(utm),
  converted: z.boolean().meta({ example: false }),
  convertedAt: orNull(timestamp()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

const listedLead = leadRecord.extend({
  contact: orNull(leadContact),
  pipeline: orNull(pipelineSummary),
  stage: orNull(stage),
  socialAccount: orNull(
    z.object({
      id: socialAccountId,
      platform: z.string().meta({ example: 'FACEBOOK' }),
      platformId: z.string().meta({ example: '1789' }),
      name: z.string().meta({ example: 'Engines on Facebook' }),
    }),
  ),
  contentPost: orNull(
    z.object({
      id: contentPostId,
      platformPostId: orNull(z.string().meta({ example: '1789_1' })),
      content: z.string().meta({ example: 'New engines are here' }),
      url: orNull(z.string().meta({ example: 'https://example.com/posts/1' })),
    }),
  ),
});

const detailedLead = listedLead.extend({ activities: z.array(activity) });

const inOrganization = z.object({ organization_id: organizationId });
const leadInPath = inOrganization.extend({ lead_id: leadId });

const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

const newLead = {
  pipelineId,
  source,
  value: optional(value),
  notes: optional(notes),
};

export const createLead = contract({
  operationId: 'createLead',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}',
  summary: 'Create a lead for a contact',
  description: 'The lead enters the first stage of its pipeline. A contact has one lead in each.',
  access: writes,
  params: inOrganization,
  body: z.object({
    contactId,
    ...newLead,
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
  }),
  status: 201,
  response: z.object({ lead: listedLead, message: says('Lead created successfully') }),
  errors: ['notFound', 'conflict'],
});

export const createLeadWithContact = contract({
  operationId: 'createLeadWithContact',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/with-contact',
  summary: 'Create a lead together with its contact',
  description:
    'One contact for each address: one that exists is used, and what it does not say yet is filled in.',
  access: writes,
  params: inOrganization,
  body: z.object({
    contact: contactBody,
    ...newLead,
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
  }),
  status: 201,
  response: z.object({ lead: listedLead, contact, message: says('Lead created successfully') }),
  errors: ['notFound', 'conflict'],
});

export const convertConversation = contract({
  operationId: 'convertConversation',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/convert-conversation',
  summary: 'Make a lead of a conversation',
  access: writes,
  params: inOrganization,
  body: z.object({ conversationId, ...newLead }),
  status: 201,
  response: z.object({
    lead: listedLead,
    contact,
    message: says('Conversation converted to a lead successfully'),
  }),
  errors: ['notFound', 'conflict'],
});

const leadFilters = {
  pipelineId: pipelineId.optional(),
  status: leadStatus.optional(),
  assignedToId: userId.optional(),
  stageId: stageId.optional(),
  source: source.optional(),
  socialAccountId: socialAccountId.optional(),
  contentPostId: contentPostId.optional(),
};

export const listLeads = contract({
  operationId: 'listLeads',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}',
  summary: 'List leads, newest first',
  description: 'The filters can be combined.',
  access: reads,
  params: inOrganization,
  query: z.object({ ...leadFilters, ...paginationQuery }),
  response: z.object({
    leads: z.array(listedLead),
    pagination,
    message: says('Leads retrieved successfully'),
  }),
});

export const getLead = contract({
  operationId: 'getLead',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/{lead_id}',
  summary: 'Read a lead with its latest activities',
  description: 'The hundred latest, newest first.',
  access: reads,
  params: leadInPath,
  response: z.object({ lead: detailedLead, message: says('Lead retrieved successfully') }),
  errors: ['notFound'],
});

export const updateLead = contract({
  operationId: 'updateLead',
  area: 'leads',
  method: 'PATCH',
  path: '/leads/{organization_id}/{lead_id}',
  summary: 'Change a lead',
  description: 'A status given here leaves the stage as it is.',
  access: writes,
  params: leadInPath,
  body: z.object({
    value: value.nullish(),
    status: leadStatus.optional(),
    assignedToId: userId.nullish(),
    notes: notes.nullish(),
  }),
  response: z.object({ lead: leadRecord, message: says('Lead updated successfully') }),
  errors: ['notFound', 'conflict'],
});

export const deleteLead = contract({
  operationId: 'deleteLead',
  area: 'leads',
  method: 'DELETE',
  path: '/leads/{organization_id}/{lead_id}',
  summary: 'Delete a lead for good',
  access: writes,
  params: leadInPath,
  response: z.object({ message: says('Lead deleted successfully') }),
  errors: ['notFound', 'conflict'],
});

export const createLeadActivity = contract({
  operationId: 'createLeadActivity',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/{lead_id}/activities',
  summary: 'Record an activity of a lead',
  access: writes,
  params: leadInPath,
  body: z.object({
    type: z.enum(activityTypes).meta({ example: 'NOTE' }),
    description: text({ min: 1, max: maxLength.notes, example: 'Called back' }),
    metadata: z
      .record(text({ min: 1, max: maxLength.name, example: 'durationSeconds' }), z.unknown())
      .refine(isStorableJson, {
        error:
          'must not contain empty names, NUL characters, lone surrogates, or numbers beyond 9007199254740991',
      })
      .refine((metadata) => JSON.stringify(metadata).length <= 10_000, {
        error: 'must not exceed 10,000 characters as JSON',
      })
      .nullish()
      .meta({ example: { durationSeconds: 120 } }),
  }),
  status: 201,
  response: z.object({ activity, message: says('Activity created successfully') }),
  errors: ['notFound'],
});

export const moveLeadStage = contract({
  operationId: 'moveLeadStage',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/{lead_id}/move-stage',
  summary: 'Move a lead to another stage of its pipeline',
  description:
    'The lead takes the status that the stage is tied to, if it is tied to one, and the notes are kept with its activities: also where the lead stands in the stage already.',
  access: writes,
  params: leadInPath,
  body: z.object({ stageId, notes: optional(notes) }),
  response: z.object({
    lead: leadRecord.pick({ id: true, stageId: true, status: true, updatedAt: true }),
    message: says('Lead moved successfully'),
  }),
  errors: ['notFound', 'conflict'],
});

export const getLeadStats = contract({
  operationId: 'getLeadStats',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/stats',
  summary: 'Read the figures of all leads',
  access: reads,
  params: inOrganization,
  response: z.object({
    stats: z.object({
      totalLeads: figure,
      newLeads: figure,
      qualifiedLeads: figure,
      contactedLeads: figure,
      convertedLeads: figure,
      lostLeads: figure,
      conversionRate: percentage,
      averageValue: cents,
      totalValue: cents,
    }),
    message: says('Lead statistics retrieved successfully'),
  }),
});

export const getLeadSourceAnalytics = contract({
  operationId: 'getLeadSourceAnalytics',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/analytics/sources',
  summary: 'Read the figures of leads by source',
  access: reads,
  params: inOrganization,
  response: z.object({
    sources: z.array(
      z.object({
        source,
        count: figure,
        conversionRate: percentage,
        averageValue: cents,
        totalValue: cents,
      }),
    ),
    message: says('Source analytics retrieved successfully'),
  }),
});

export const getLeadCampaignAnalytics = contract({
  operationId: 'getLeadCampaignAnalytics',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/analytics/campaigns',
  summary: 'Read the figures of leads by campaign',
  access: reads,
  params: inOrganization,
  response: z.object({
    campaigns: z.array(
      z.object({
        campaignId,
        campaignName: z.string().meta({ example: 'Spring' }),
        leadCount: figure,
        conversionRate: percentage,
        averageValue: cents,
        totalValue: cents,
      }),
    ),
    message: says('Campaign analytics retrieved successfully'),
  }),
});

export const getLeadPipelineAnalytics = contract({
  operationId: 'getLeadPipelineAnalytics',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/analytics/pipeline',
  summary: 'Read the figures of a pipeline',
  description:
    'Of the default pipeline, where none is named. The time in a stage is the mean of the stays that have ended.',
  access: reads,
  params: inOrganization,
  query: z.object({ pipelineId: pipelineId.optional() }),
  response: z.object({
    pipeline: z.object({
      id: pipelineId,
      name: z.string().meta({ example: 'Sales Pipeline' }),
      stages: z.array(
        z.object({
          id: stageId,
          name: z.string().meta({ example: 'New' }),
          leadCount: figure,
          averageTimeInStage: seconds,
        }),
      ),
      overallConversionRate: percentage,
      averageTimeToConvert: seconds,
    }),
    message: says('Pipeline analytics retrieved successfully'),
  }),
  errors: ['notFound'],
});

const statusOfStage = orNull(leadStatus);
const fullStage = stage.extend({ status: statusOfStage });
const pipeline = pipelineSummary.extend({
  stages: z.array(fullStage),
  isDefault: z.boolean().meta({ example: true }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
const pipelineInPath = inOrganization.extend({ pipeline_id: pipelineId });
const stageInPath = pipelineInPath.extend({ stage_id: stageId });
const stageOrder = z.int().min(1).max(1_000).meta({ example: 1 });
const newStage = z.object({
  name: name({ example: 'Negotiation' }),
  status: optional(leadStatus),
});
const maxStages = 50;

export const listPipelines = contract({
  operationId: 'listPipelines',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/pipelines',
  summary: 'List the pipelines',
  access: reads,
  extension: true,
  params: inOrganization,
  response: z.object({
    pipelines: z.array(pipeline),
    total: z.int().meta({ example: 1 }),
    message: says('Pipelines retrieved successfully'),
  }),
});

export const createPipeline = contract({
  operationId: 'createPipeline',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/pipelines',
  summary: 'Create a pipeline',
  description: 'Without stages it gets the usual five.',
  access: writes,
  extension: true,
  params: inOrganization,
  body: z.object({
    name: name({ example: 'Partners' }),
    stages: z.array(newStage).min(1).max(maxStages).nullish(),
  }),
  status: 201,
  response: z.object({ pipeline, message: says('Pipeline created successfully') }),
});

export const getPipeline = contract({
  operationId: 'getPipeline',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}',
  summary: 'Read a pipeline',
  access: reads,
  extension: true,
  params: pipelineInPath,
  response: z.object({ pipeline, message: says('Pipeline retrieved successfully') }),
  errors: ['notFound'],
});

export const updatePipeline = contract({
  operationId: 'updatePipeline',
  area: 'leads',
  method: 'PATCH',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}',
  summary: 'Change a pipeline',
  description:
    '`isDefault: true` makes it the default one in place of the one that is. There is always one: `false` is refused for it.',
  access: writes,
  extension: true,
  params: pipelineInPath,
  body: z.object({
    name: name({ example: 'Partners' }).optional(),
    isDefault: z.boolean().optional().meta({ example: true }),
  }),
  response: z.object({ pipeline, message: says('Pipeline updated successfully') }),
  errors: ['notFound', 'conflict'],
});

export const deletePipeline = contract({
  operationId: 'deletePipeline',
  area: 'leads',
  method: 'DELETE',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}',
  summary: 'Delete a pipeline that has no leads',
  description: 'Not the default one.',
  access: writes,
  extension: true,
  params: pipelineInPath,
  response: z.object({ message: says('Pipeline deleted successfully') }),
  errors: ['notFound', 'conflict'],
});

export const listStages = contract({
  operationId: 'listStages',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages',
  summary: 'List the stages of a pipeline',
  access: reads,
  extension: true,
  params: pipelineInPath,
  response: z.object({
    stages: z.array(fullStage),
    total: z.int().meta({ example: 5 }),
    message: says('Stages retrieved successfully'),
  }),
  errors: ['notFound'],
});

export const createStage = contract({
  operationId: 'createStage',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages',
  summary: 'Add a stage to a pipeline',
  description: 'At the end, or at the place that `order` names.',
  access: writes,
  extension: true,
  params: pipelineInPath,
  body: newStage.extend({ order: optional(stageOrder) }),
  status: 201,
  response: z.object({ stage: fullStage, message: says('Stage created successfully') }),
  errors: ['notFound', 'conflict'],
});

export const updateStage = contract({
  operationId: 'updateStage',
  area: 'leads',
  method: 'PATCH',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages/{stage_id}',
  summary: 'Change a stage, or its place',
  access: writes,
  extension: true,
  params: stageInPath,
  body: z.object({
    name: name({ example: 'Negotiation' }).optional(),
    status: leadStatus.nullish(),
    order: stageOrder.optional(),
  }),
  response: z.object({ stage: fullStage, message: says('Stage updated successfully') }),
  errors: ['notFound', 'conflict'],
});

export const deleteStage = contract({
  operationId: 'deleteStage',
  area: 'leads',
  method: 'DELETE',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages/{stage_id}',
  summary: 'Delete a stage that has no leads',
  description: 'Not the last one.',
  access: writes,
  extension: true,
  params: stageInPath,
  response: z.object({ message: says('Stage deleted successfully') }),
  errors: ['notFound', 'conflict'],
});

const contactInPath = inOrganization.extend({ contact_id: contactId });

export const listContacts = contract({
  operationId: 'listContacts',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/contacts',
  summary: 'List contacts, newest first',
  description:
    '`search` takes the beginnings of words of the name, the address, the company or the phone number; all of them must be found.',
  access: reads,
  extension: true,
  params: inOrganization,
  query: z.object({
    search: name({ max: 200, example: 'bab' }).optional(),
    ...paginationQuery,
  }),
  response: z.object({
    contacts: z.array(contact),
    pagination,
    message: says('Contacts retrieved successfully'),
  }),
});

export const createContact = contract({
  operationId: 'createContact',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/contacts',
  summary: 'Create a contact',
  access: writes,
  extension: true,
  params: inOrganization,
  body: contactBody,
  status: 201,
  response: z.object({ contact, message: says('Contact created successfully') }),
  errors: ['conflict'],
});

export const getContact = contract({
  operationId: 'getContact',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/contacts/{contact_id}',
  summary: 'Read a contact',
  access: reads,
  extension: true,
  params: contactInPath,
  response: z.object({ contact, message: says('Contact retrieved successfully') }),
  errors: ['notFound'],
});

export const updateContact = contract({
  operationId: 'updateContact',
  area: 'leads',
  method: 'PATCH',
  path: '/leads/{organization_id}/contacts/{contact_id}',
  summary: 'Change a contact',
  access: writes,
  extension: true,
  params: contactInPath,
  body: z.object({
    name: contactFields.name.optional(),
    email: contactFields.email.optional(),
    phone: contactFields.phone.nullish(),
    company: contactFields.company.nullish(),
  }),
  response: z.object({ contact, message: says('Contact updated successfully') }),
  errors: ['notFound', 'conflict'],
});

export const deleteContact = contract({
  operationId: 'deleteContact',
  area: 'leads',
  method: 'DELETE',
  path: '/leads/{organization_id}/contacts/{contact_id}',
  summary: 'Delete a contact that has no leads',
  access: writes,
  extension: true,
  params: contactInPath,
  response: z.object({ message: says('Contact deleted successfully') }),
  errors: ['notFound', 'conflict'],
});

export const mergeContacts = contract({
  operationId: 'mergeContacts',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/contacts/{contact_id}/merge',
  summary: 'Make one contact of two',
  description:
    'The duplicate is removed. Its leads become the contact’s; where both have one in a pipeline, the contact’s is kept and takes over the activities. What the contact does not say is taken from the duplicate, and whoever wrote as the duplicate from a network is the contact from then on.',
  access: writes,
  extension: true,
  params: contactInPath,
  body: z.object({ duplicateId: id('0192f0c2-1a2c-7d4e-9f50-6b7c8d9e0f1b') }),
  response: z.object({ contact, message: says('Contacts merged successfully') }),
  errors: ['notFound', 'conflict'],
});

const maxExportedLeads = 10_000;

export const exportLeads = contract({
  operationId: 'exportLeads',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/export',
  summary: 'Read leads as a CSV file, newest first',
  description:
    'RFC 4180, with a header. The filters are those of the list. What does not fit into one answer is found where `Link: <…>; rel="next"` points; no answer is larger than 5 MB. A cell that a spreadsheet would calculate has an apostrophe before it.',
  access: reads,
  extension: true,
  envelope: 'raw',
  contentType: 'text/csv; charset=utf-8',
  memoryMb: 512,
  params: inOrganization,
  query: z.object({
    ...leadFilters,
    limit: queryInteger({ min: 1, max: maxExportedLeads, default: maxExportedLeads }),
    cursor: paginationQuery.cursor,
  }),
  response: z
    .object({})
    .meta({ description: 'The file.', example: 'id,name,email\r\n1,Ada,ada@example.com\r\n' }),
});

const importId = id('0192f0c4-3c4d-7586-97a8-4d5e6f708192');
export const maxImportedRows = 10_000;

/** One row of a file, by the names of its columns. */
export const importedRow = contactBody.extend({
  source: optional(source),
  value: optional(value),
  notes: optional(notes),
  utmSource: optional(utm),
  utmMedium: optional(utm),
  utmCampaign: optional(utm),
});

export const importOutcomes = ['CREATED', 'MERGED', 'REFUSED'] as const;

const importReport = z.object({
  row: z.int().min(1).meta({ example: 1, description: 'The first row below the header is 1.' }),
  outcome: z.enum(importOutcomes).meta({ example: 'CREATED' }),
  leadId: orNull(leadId),
  contactId: orNull(contactId),
  reason: orNull(z.string().meta({ example: null })),
});

const rowCount = z.int().min(0).meta({ example: 1 });

const leadImport = z.object({
  id: importId,
  status: z.enum(['RUNNING', 'DONE']).meta({ example: 'DONE' }),
  dryRun: z.boolean().meta({ example: false }),
  pipelineId,
  ignoredColumns: z.array(z.string().meta({ example: 'Fax' })),
  totalRows: rowCount,
  processedRows: rowCount,
  created: rowCount,
  merged: rowCount,
  refused: rowCount,
  rows: z.array(importReport),
  createdAt: timestamp(),
});

export const importLeads = contract({
  operationId: 'importLeads',
  area: 'leads',
  method: 'POST',
  path: '/leads/{organization_id}/import',
  summary: 'Make leads of a CSV file',
  description:
    'RFC 4180, in UTF-8, with commas, or with semicolons or tabs where the header has no comma. The header names the columns: name and email must be there; phone, company, source, value (cents), notes, utmSource, utmMedium and utmCampaign may be; others are ignored. A row makes a contact and a lead (CREATED), a lead for the contact with its address (MERGED), or is REFUSED. Up to 100 rows are done when the answer comes; more are done in the background. `dryRun` reports what would be done. An exported file can be imported: an apostrophe before `=`, `+`, `-` or `@` is taken off.',
  access: writes,
  extension: true,
  memoryMb: 512,
  params: inOrganization,
  body: z.object({
    csv: text({
      min: 1,
      max: 1_000_000,
      example: 'name,email,company\r\nCharles Babbage,charles@example.com,Difference Ltd\r\n',
    }),
    pipelineId: optional(pipelineId).meta({ description: 'The default pipeline, where absent' }),
    source: optional(source).meta({ description: 'For rows that name none; else `import`' }),
    dryRun: optional(z.boolean().meta({ example: false })),
  }),
  status: 201,
  response: z.object({ import: leadImport, message: says('Import started successfully') }),
  errors: ['notFound'],
});

export const getImport = contract({
  operationId: 'getImport',
  area: 'leads',
  method: 'GET',
  path: '/leads/{organization_id}/imports/{import_id}',
  summary: 'Read how far an import is, and what became of its rows',
  description:
    'The rows that have been worked off, in the order of the file. An import can be read for 30 days.',
  access: reads,
  extension: true,
  params: inOrganization.extend({ import_id: importId }),
  query: z.object(paginationQuery),
  response: z.object({
    import: leadImport,
    pagination,
    message: says('Import retrieved successfully'),
  }),
  errors: ['notFound'],
});

export const leadContracts = [
  createLead,
  createLeadWithContact,
  convertConversation,
  listLeads,
  getLead,
  updateLead,
  deleteLead,
  createLeadActivity,
  moveLeadStage,
  getLeadStats,
  getLeadSourceAnalytics,
  getLeadCampaignAnalytics,
  getLeadPipelineAnalytics,
  listPipelines,
  createPipeline,
  getPipeline,
  updatePipeline,
  deletePipeline,
  listStages,
  createStage,
  updateStage,
  deleteStage,
  listContacts,
  createContact,
  getContact,
  updateContact,
  deleteContact,
  mergeContacts,
  exportLeads,
  importLeads,
  getImport,
] as const;
