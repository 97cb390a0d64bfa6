import { attribution } from './attribution.ts';
import {
  email,
  id,
  isStorableJson,
  maxLength,
  name,
  normalized,
  optional,
  orNull,
  pagination,
  paginationQuery,
  queryDate,
  queryInteger,
  text,
  timestamp,
  total,
} from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { customFields, customFieldValues } from './custom-fields.ts';
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
export const segmentId = id('0192f0c4-8a93-7b8d-aebf-708192031425');
const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const contentPostId = id('0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081');

export const leadStatuses = ['NEW', 'QUALIFIED', 'CONTACTED', 'CONVERTED', 'LOST'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** Activity types that users and integrations can record. */
const activityTypes = [
  'EMAIL_SENT',
  'EMAIL_RECEIVED',
  'PHONE_CALL',
  'MEETING',
  'NOTE',
  'MESSAGE_SENT',
  'MESSAGE_RECEIVED',
] as const;
const serviceActivityTypes = [
  'STAGE_CHANGED',
  'STATUS_CHANGED',
  'ASSIGNED',
  'FORM_SUBMITTED',
  'LINK_CLICKED',
] as const;
export type ActivityType = (typeof activityTypes)[number] | (typeof serviceActivityTypes)[number];

export const leadStatus = z.enum(leadStatuses).meta({ id: 'LeadStatus', example: 'NEW' });
export const source = name({ example: 'website' });
const maxValueCents = 1_000_000_000_000;
export const value = z
  .int()
  .min(0)
  .max(maxValueCents)
  .meta({ example: 50_000, description: 'Estimated value in cents' });
const notes = text({ max: maxLength.notes, example: 'Asked for the price of ten engines' });
const utm = name({ example: 'spring' });
const count = z.number().meta({ example: 1 });
const percentage = z.number().meta({ example: 25, description: 'Percent, 0 to 100' });
const cents = z.number().meta({ example: 50_000, description: 'Cents' });
const seconds = z.number().meta({ example: 86_400, description: 'Seconds' });

export const maxTags = 30;
const maxTagLength = 50;
export const tag = name({ max: maxTagLength, example: 'vip' })
  .check(normalized('NFC', maxTagLength))
  .refine((value) => value !== '.' && value !== '..', { error: 'must not be . or ..' })
  .meta({ example: 'vip' });
const tags = z.array(tag).max(maxTags);

const contactFields = {
  name: name({ example: 'Charles Babbage' }),
  email,
  phone: text({ max: 50, example: '+44 20 7946 0000' }),
  company: name({ example: 'Difference Ltd' }),
};

export const leadContact = z
  .object({
    id: contactId,
    name: z.string().meta({ example: 'Charles Babbage' }),
    email: z.string().meta({ example: 'ada@example.com' }),
    phone: orNull(z.string().meta({ example: '+44 20 7946 0000' })),
    company: orNull(z.string().meta({ example: 'Difference Ltd' })),
  })
  .meta({ id: 'LeadContact' });

export const contact = leadContact
  .extend({
    tags: z.array(z.string().meta({ example: 'vip' })),
    customFields,
    createdAt: timestamp(),
  })
  .meta({ id: 'Contact' });

const contactBody = z.object({
  name: contactFields.name,
  email: contactFields.email,
  phone: optional(contactFields.phone),
  company: optional(contactFields.company),
  tags: optional(tags),
  customFields: optional(customFieldValues),
});

const stage = z
  .object({
    id: stageId,
    name: z.string().meta({ example: 'New' }),
    order: z.int().meta({ example: 1 }),
  })
  .meta({ id: 'LeadStage' });

const pipelineSummary = z
  .object({
    id: pipelineId,
    name: z.string().meta({ example: 'Sales Pipeline' }),
    stages: z.array(stage),
  })
  .meta({ id: 'LeadPipeline' });

export const activity = z
  .object({
    id: activityId,
    leadId,
    type: z.enum([...activityTypes, ...serviceActivityTypes]).meta({ example: 'NOTE' }),
    description: z.string().meta({ example: 'Called back' }),
    metadata: z.record(z.string(), z.unknown()).meta({ example: { durationSeconds: 120 } }),
    createdAt: timestamp(),
  })
  .meta({ id: 'LeadActivity' });

export const leadRecord = z
  .object({
    id: leadId,
    contactId,
    pipelineId,
    stageId,
    source,
    value: orNull(value),
    status: leadStatus,
    assignedToId: orNull(userId),
    notes: orNull(notes),
    tags: z.array(z.string().meta({ example: 'vip' })),
    customFields,
    utmSource: orNull(utm),
    utmMedium: orNull(utm),
    utmCampaign: orNull(utm),
    campaignId: orNull(campaignId),
    conversationId: orNull(conversationId),
    attribution: orNull(attribution),
    converted: z.boolean().meta({ example: false }),
    convertedAt: orNull(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'LeadRecord' });

const listedLead = leadRecord
  .extend({
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
  })
  .meta({ id: 'Lead' });

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
  tags: optional(tags),
  customFields: optional(customFieldValues),
};

export const createLead = contract({
  operationId: 'createLead',
  role: 'sender',
  method: 'POST',
  path: '/leads/{organization_id}',
  specified: true,
  summary: 'Create a lead for a contact',
  tool: true,
  description:
    'The lead starts in the first stage of its pipeline. A contact can have one lead per pipeline.',
  access: writes,
  body: z.object({
    contactId,
    ...newLead,
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
  }),
  status: 201,
  response: z.object({ lead: listedLead }),
  message: 'Lead created successfully',
  errors: ['CONTACT_NOT_FOUND', 'PIPELINE_NOT_FOUND', 'LEAD_EXISTS', 'OVERTAKEN'],
});

export const createLeadWithContact = contract({
  operationId: 'createLeadWithContact',
  role: 'sender',
  method: 'POST',
  path: '/leads/{organization_id}/with-contact',
  specified: true,
  summary: 'Create a lead and its contact',
  tool: true,
  description:
    'If a contact with this email address exists, it is used and its empty fields are filled in.',
  access: writes,
  body: z.object({
    contact: contactBody,
    ...newLead,
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
  }),
  status: 201,
  response: z.object({ lead: listedLead, contact }),
  message: 'Lead created successfully',
  errors: ['PIPELINE_NOT_FOUND', 'LEAD_EXISTS', 'OVERTAKEN'],
});

export const convertConversation = contract({
  operationId: 'convertConversation',
  method: 'POST',
  path: '/leads/{organization_id}/convert-conversation',
  specified: true,
  role: 'sender',
  summary: 'Convert a conversation to a lead',
  access: writes,
  body: z.object({ conversationId, ...newLead }),
  status: 201,
  response: z.object({
    lead: listedLead,
    contact,
  }),
  message: 'Conversation converted to a lead successfully',
  errors: ['CONVERSATION_NOT_FOUND', 'PIPELINE_NOT_FOUND', 'LEAD_EXISTS', 'OVERTAKEN'],
});

const leadFilters = {
  pipelineId: pipelineId.optional(),
  status: leadStatus.optional(),
  assignedToId: userId.optional(),
  stageId: stageId.optional(),
  source: source.optional(),
  socialAccountId: socialAccountId.optional(),
  contentPostId: contentPostId.optional(),
  campaignId: campaignId.optional(),
  conversationId: conversationId.optional(),
  tag: tag.optional(),
  segmentId: segmentId.optional(),
};

export const listLeads = contract({
  operationId: 'listLeads',
  path: '/leads/{organization_id}',
  specified: true,
  summary: 'List leads, newest first',
  tool: true,
  description:
    'You can combine the filters, also with those of a segment. With several filters, a page can have fewer leads than `limit` and a cursor.',
  access: reads,
  query: z.object({ ...leadFilters, ...paginationQuery }),
  response: z.object({
    leads: z.array(listedLead),
    pagination: pagination.extend({
      total: orNull(z.int().min(0).meta({ example: 1 })).meta({
        description: 'Null if too many leads would have to be read to count those that match',
      }),
    }),
  }),
  message: 'Leads retrieved successfully',
  errors: ['SEGMENT_NOT_FOUND'],
});

export const getLead = contract({
  operationId: 'getLead',
  path: '/leads/{organization_id}/{lead_id}',
  specified: true,
  summary: 'Get a lead with its latest activities',
  tool: true,
  description: 'Includes the latest 100 activities, newest first.',
  access: reads,
  response: z.object({ lead: detailedLead }),
  message: 'Lead retrieved successfully',
  errors: ['LEAD_NOT_FOUND'],
});

export const updateLead = contract({
  operationId: 'updateLead',
  method: 'PATCH',
  path: '/leads/{organization_id}/{lead_id}',
  specified: true,
  role: 'sender',
  summary: 'Update a lead',
  tool: true,
  description: 'Setting the status does not change the stage.',
  access: writes,
  body: z.object({
    value: value.nullish(),
    status: leadStatus.optional(),
    assignedToId: userId.nullish(),
    notes: notes.nullish(),
    tags: tags.nullish(),
    customFields: customFieldValues.optional(),
  }),
  response: z.object({ lead: leadRecord }),
  message: 'Lead updated successfully',
  errors: ['LEAD_NOT_FOUND', 'OVERTAKEN'],
});

export const deleteLead = contract({
  operationId: 'deleteLead',
  method: 'DELETE',
  path: '/leads/{organization_id}/{lead_id}',
  specified: true,
  role: 'sender',
  summary: 'Delete a lead permanently',
  access: writes,
  message: 'Lead deleted successfully',
  errors: ['LEAD_NOT_FOUND'],
});

export const createLeadActivity = contract({
  operationId: 'createLeadActivity',
  method: 'POST',
  path: '/leads/{organization_id}/{lead_id}/activities',
  specified: true,
  summary: 'Add an activity to a lead',
  tool: true,
  access: writes,
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
  response: z.object({ activity }),
  message: 'Activity created successfully',
  errors: ['LEAD_NOT_FOUND'],
});

export const addLeadTags = contract({
  operationId: 'addLeadTags',
  method: 'POST',
  path: '/leads/{organization_id}/{lead_id}/tags',
  role: 'sender',
  summary: 'Add tags to a lead',
  description: `A lead has at most ${maxTags} tags. Existing tags stay.`,
  access: writes,
  body: z.object({ tags: tags.min(1) }),
  response: z.object({ lead: leadRecord }),
  message: 'Tags added successfully',
  errors: ['LEAD_NOT_FOUND'],
});

export const removeLeadTag = contract({
  operationId: 'removeLeadTag',
  method: 'DELETE',
  path: '/leads/{organization_id}/{lead_id}/tags/{tag}',
  role: 'sender',
  summary: 'Remove a tag from a lead',
  description: 'Encode the tag as in URLs. To remove a tag that contains `/`, update the lead.',
  access: writes,
  params: leadInPath.extend({ tag }),
  response: z.object({ lead: leadRecord }),
  message: 'Tag removed successfully',
  errors: ['LEAD_NOT_FOUND'],
});

export const listLeadTags = contract({
  operationId: 'listLeadTags',
  path: '/leads/{organization_id}/tags',
  summary: 'List the tags of leads',
  description: 'The most frequent tags first.',
  access: reads,
  response: z.object({
    tags: z.array(z.object({ tag: z.string().meta({ example: 'vip' }), count: count })),
    total,
  }),
  message: 'Tags retrieved successfully',
});

export const moveLeadStage = contract({
  operationId: 'moveLeadStage',
  method: 'POST',
  path: '/leads/{organization_id}/{lead_id}/move-stage',
  specified: true,
  role: 'sender',
  summary: 'Move a lead to another stage of its pipeline',
  tool: true,
  description:
    'If the stage is linked to a status, the lead gets that status. The notes are stored as an activity, even if the lead is already in the stage.',
  access: writes,
  body: z.object({ stageId, notes: optional(notes) }),
  response: z.object({
    lead: leadRecord.pick({ id: true, stageId: true, status: true, updatedAt: true }),
  }),
  message: 'Lead moved successfully',
  errors: ['LEAD_NOT_FOUND', 'OVERTAKEN'],
});

export const getLeadStats = contract({
  operationId: 'getLeadStats',
  path: '/leads/{organization_id}/stats',
  specified: true,
  summary: 'Get lead statistics',
  description:
    'With `from` or `to`, `days` has the leads that were created on each day of the range, up to 366 days, and how many of them are converted now. Days are those of the organization’s time zone, and left out if they have no leads.',
  tool: true,
  access: reads,
  query: z.object({ from: queryDate.optional(), to: queryDate.optional() }),
  response: z.object({
    stats: z.object({
      totalLeads: count,
      newLeads: count,
      qualifiedLeads: count,
      contactedLeads: count,
      convertedLeads: count,
      lostLeads: count,
      conversionRate: percentage,
      averageValue: cents,
      totalValue: cents,
      days: orNull(
        z.array(
          z.object({
            date: z.string().meta({ example: '2026-01-15' }),
            leads: count,
            converted: count,
            valueCents: z.int().meta({ example: 50_000 }),
          }),
        ),
      ),
    }),
  }),
  message: 'Lead statistics retrieved successfully',
});

export const getLeadSourceAnalytics = contract({
  operationId: 'getLeadSourceAnalytics',
  path: '/leads/{organization_id}/analytics/sources',
  specified: true,
  summary: 'Get lead analytics by source',
  access: reads,
  response: z.object({
    sources: z.array(
      z.object({
        source,
        count: count,
        conversionRate: percentage,
        averageValue: cents,
        totalValue: cents,
      }),
    ),
    total,
  }),
  message: 'Source analytics retrieved successfully',
});

export const getLeadCampaignAnalytics = contract({
  operationId: 'getLeadCampaignAnalytics',
  path: '/leads/{organization_id}/analytics/campaigns',
  specified: true,
  summary: 'Get lead analytics by campaign',
  access: reads,
  response: z.object({
    campaigns: z.array(
      z.object({
        campaignId,
        campaignName: z.string().meta({ example: 'Spring' }),
        leadCount: count,
        conversionRate: percentage,
        averageValue: cents,
        totalValue: cents,
      }),
    ),
    total,
  }),
  message: 'Campaign analytics retrieved successfully',
});

export const getLeadPipelineAnalytics = contract({
  operationId: 'getLeadPipelineAnalytics',
  path: '/leads/{organization_id}/analytics/pipeline',
  specified: true,
  summary: 'Get the analytics of a pipeline',
  description:
    'Uses the default pipeline if none is given. Time in stage is averaged over leads that have left the stage.',
  access: reads,
  query: z.object({ pipelineId: pipelineId.optional() }),
  response: z.object({
    pipeline: z.object({
      id: pipelineId,
      name: z.string().meta({ example: 'Sales Pipeline' }),
      stages: z.array(
        z.object({
          id: stageId,
          name: z.string().meta({ example: 'New' }),
          leadCount: count,
          averageTimeInStage: seconds,
        }),
      ),
      overallConversionRate: percentage,
      averageTimeToConvert: seconds,
    }),
  }),
  message: 'Pipeline analytics retrieved successfully',
  errors: ['PIPELINE_NOT_FOUND'],
});

const statusOfStage = orNull(leadStatus);
const fullStage = stage.extend({ status: statusOfStage }).meta({ id: 'PipelineStage' });
const pipeline = pipelineSummary
  .extend({
    stages: z.array(fullStage),
    isDefault: z.boolean().meta({ example: true }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Pipeline' });

const stageOrder = z.int().min(1).max(1_000).meta({ example: 1 });
const newStage = z.object({
  name: name({ example: 'Negotiation' }),
  status: optional(leadStatus),
});
/** The maximum in a request. The quota may be lower. */
const maxStages = 50;

export const listPipelines = contract({
  operationId: 'listPipelines',
  path: '/leads/{organization_id}/pipelines',
  summary: 'List pipelines',
  tool: true,
  access: reads,
  response: z.object({
    pipelines: z.array(pipeline),
    total,
  }),
  message: 'Pipelines retrieved successfully',
});

export const createPipeline = contract({
  operationId: 'createPipeline',
  method: 'POST',
  path: '/leads/{organization_id}/pipelines',
  summary: 'Create a pipeline',
  description: 'Without `stages`, the pipeline gets the five default stages.',
  access: writes,
  body: z.object({
    name: name({ example: 'Partners' }),
    stages: z.array(newStage).min(1).max(maxStages).nullish(),
  }),
  status: 201,
  response: z.object({ pipeline }),
  message: 'Pipeline created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const getPipeline = contract({
  operationId: 'getPipeline',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}',
  summary: 'Get a pipeline',
  access: reads,
  response: z.object({ pipeline }),
  message: 'Pipeline retrieved successfully',
  errors: ['PIPELINE_NOT_FOUND'],
});

export const updatePipeline = contract({
  operationId: 'updatePipeline',
  method: 'PATCH',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}',
  summary: 'Update a pipeline',
  description:
    '`isDefault: true` makes it the default pipeline instead of the current one. You cannot set `isDefault: false` on the default pipeline.',
  access: writes,
  body: z.object({
    name: name({ example: 'Partners' }).optional(),
    isDefault: z.boolean().optional().meta({ example: true }),
  }),
  response: z.object({ pipeline }),
  message: 'Pipeline updated successfully',
  errors: ['PIPELINE_NOT_FOUND', 'WRONG_STATE'],
});

export const deletePipeline = contract({
  operationId: 'deletePipeline',
  method: 'DELETE',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}',
  summary: 'Delete a pipeline without leads',
  description: 'The default pipeline cannot be deleted.',
  access: writes,
  message: 'Pipeline deleted successfully',
  errors: [
    'PIPELINE_NOT_FOUND',
    'IN_USE',
    { code: 'WRONG_STATE', when: 'The pipeline is the default one.' },
  ],
});

export const listStages = contract({
  operationId: 'listStages',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages',
  summary: 'List the stages of a pipeline',
  access: reads,
  response: z.object({
    stages: z.array(fullStage),
    total: z.int().meta({ example: 5 }),
  }),
  message: 'Stages retrieved successfully',
  errors: ['PIPELINE_NOT_FOUND'],
});

export const createStage = contract({
  operationId: 'createStage',
  method: 'POST',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages',
  summary: 'Add a stage to a pipeline',
  description: 'Adds the stage at the position `order`, or at the end without it.',
  access: writes,
  body: newStage.extend({ order: optional(stageOrder) }),
  status: 201,
  response: z.object({ stage: fullStage }),
  message: 'Stage created successfully',
  errors: ['PIPELINE_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const updateStage = contract({
  operationId: 'updateStage',
  method: 'PATCH',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages/{stage_id}',
  summary: 'Update or reorder a stage',
  access: writes,
  body: z.object({
    name: name({ example: 'Negotiation' }).optional(),
    status: leadStatus.nullish(),
    order: stageOrder.optional(),
  }),
  response: z.object({ stage: fullStage }),
  message: 'Stage updated successfully',
  errors: ['PIPELINE_NOT_FOUND', 'STAGE_NOT_FOUND'],
});

export const deleteStage = contract({
  operationId: 'deleteStage',
  method: 'DELETE',
  path: '/leads/{organization_id}/pipelines/{pipeline_id}/stages/{stage_id}',
  summary: 'Delete a stage without leads',
  description: 'The last stage of a pipeline cannot be deleted.',
  access: writes,
  message: 'Stage deleted successfully',
  errors: [
    'PIPELINE_NOT_FOUND',
    'STAGE_NOT_FOUND',
    'IN_USE',
    { code: 'WRONG_STATE', when: 'The pipeline has no other stage.' },
  ],
});

export const listContacts = contract({
  operationId: 'listContacts',
  path: '/leads/{organization_id}/contacts',
  summary: 'List contacts, newest first',
  tool: true,
  description:
    '`search` matches the beginnings of words in the name, email address, company and phone number. All search terms must match.',
  access: reads,
  query: z.object({
    search: name({ max: 200, example: 'bab' }).optional(),
    ...paginationQuery,
  }),
  response: z.object({
    contacts: z.array(contact),
    pagination,
  }),
  message: 'Contacts retrieved successfully',
});

export const createContact = contract({
  operationId: 'createContact',
  role: 'sender',
  method: 'POST',
  path: '/leads/{organization_id}/contacts',
  summary: 'Create a contact',
  access: writes,
  body: contactBody,
  status: 201,
  response: z.object({ contact }),
  message: 'Contact created successfully',
  errors: ['CONTACT_EXISTS'],
});

export const getContact = contract({
  operationId: 'getContact',
  path: '/leads/{organization_id}/contacts/{contact_id}',
  summary: 'Get a contact',
  tool: true,
  access: reads,
  response: z.object({ contact }),
  message: 'Contact retrieved successfully',
  errors: ['CONTACT_NOT_FOUND'],
});

export const updateContact = contract({
  operationId: 'updateContact',
  role: 'sender',
  method: 'PATCH',
  path: '/leads/{organization_id}/contacts/{contact_id}',
  summary: 'Update a contact',
  access: writes,
  body: z.object({
    name: contactFields.name.optional(),
    email: contactFields.email.optional(),
    phone: contactFields.phone.nullish(),
    company: contactFields.company.nullish(),
    tags: tags.nullish(),
    customFields: customFieldValues.optional(),
  }),
  response: z.object({ contact }),
  message: 'Contact updated successfully',
  errors: ['CONTACT_NOT_FOUND', 'CONTACT_EXISTS'],
});

export const deleteContact = contract({
  operationId: 'deleteContact',
  role: 'sender',
  method: 'DELETE',
  path: '/leads/{organization_id}/contacts/{contact_id}',
  summary: 'Delete a contact without leads',
  access: writes,
  message: 'Contact deleted successfully',
  errors: ['CONTACT_NOT_FOUND', 'IN_USE'],
});

export const mergeContacts = contract({
  operationId: 'mergeContacts',
  method: 'POST',
  path: '/leads/{organization_id}/contacts/{contact_id}/merge',
  role: 'sender',
  summary: 'Merge two contacts',
  description:
    "Deletes the duplicate and moves its leads to the contact. If both have a lead in the same pipeline, the contact's lead is kept and gets the activities of the other. Empty fields of the contact are filled from the duplicate, and the duplicate's network identities are linked to the contact.",
  access: writes,
  body: z.object({ duplicateId: id('0192f0c2-1a2c-7d4e-9f50-6b7c8d9e0f1b') }),
  response: z.object({ contact }),
  message: 'Contacts merged successfully',
  errors: ['CONTACT_NOT_FOUND', 'OVERTAKEN'],
});

const maxExportedLeads = 10_000;

const erasureId = id('0192f0c4-3c4f-75a8-87ca-6f708192a3b4');
const erasedCount = (example: number) => z.int().min(0).meta({ example });

export const erasure = z
  .object({
    id: erasureId,
    status: z.enum(['PENDING', 'DONE']).meta({ example: 'PENDING' }),
    removed: z
      .object({
        leads: erasedCount(1),
        conversations: erasedCount(2),
        messages: erasedCount(14),
        files: erasedCount(1),
        activities: erasedCount(6),
      })
      .meta({ description: 'What has been removed so far' }),
    createdAt: timestamp(),
    doneAt: orNull(timestamp()),
  })
  .meta({ id: 'Erasure' });

export const eraseContact = contract({
  operationId: 'eraseContact',
  role: 'sender',
  method: 'POST',
  path: '/leads/{organization_id}/contacts/{contact_id}/erase',
  summary: 'Erase a person',
  description:
    'Removes the contact, its leads and conversations, and all other data of the person: messages, notes, files, traces, import rows, and the bodies of webhook deliveries. The contact can no longer be read; the rest is removed in the background. While an erasure is pending, this returns it.',
  access: memberOfPath('ADMIN'),
  status: 201,
  response: z.object({ erasure }),
  message: 'Erasure started successfully',
  errors: ['CONTACT_NOT_FOUND'],
});

export const getErasure = contract({
  operationId: 'getErasure',
  path: '/leads/{organization_id}/erasures/{erasure_id}',
  summary: 'Get an erasure',
  access: memberOfPath('ADMIN'),
  response: z.object({ erasure }),
  message: 'Erasure retrieved successfully',
  errors: ['ERASURE_NOT_FOUND'],
});

export const exportLeads = contract({
  operationId: 'exportLeads',
  path: '/leads/{organization_id}/export',
  summary: 'Export leads as CSV, newest first',
  description:
    'Returns RFC 4180 CSV in UTF-8 with a byte order mark and a header row. Accepts the same filters as the list. Responses are at most 5 MB. `Link: <…>; rel="next"` points to the next part. Cells that a spreadsheet would run as a formula start with an apostrophe.',
  access: writes,
  role: 'api',
  envelope: 'raw',
  contentType: 'text/csv; charset=utf-8',
  memoryMb: 512,
  query: z.object({
    ...leadFilters,
    limit: queryInteger({ min: 1, max: maxExportedLeads, default: maxExportedLeads }),
    cursor: paginationQuery.cursor,
  }),
  response: z
    .object({})
    .meta({ description: 'The CSV file.', example: 'id,name,email\r\n1,Ada,ada@example.com\r\n' }),
  errors: ['SEGMENT_NOT_FOUND'],
});

const importId = id('0192f0c4-3c4d-7586-97a8-4d5e6f708192');
export const maxImportedRows = 10_000;

/** A CSV row, keyed by column name. */
export const importedRow = contactBody.extend({
  source: optional(source),
  value: optional(value),
  notes: optional(notes),
  tags: optional(tags),
  customFieldsOfContact: optional(customFieldValues),
  utmSource: optional(utm),
  utmMedium: optional(utm),
  utmCampaign: optional(utm),
});

export const importOutcomes = ['CREATED', 'MERGED', 'REFUSED'] as const;

const importReport = z.object({
  row: z.int().min(1).meta({ example: 1, description: 'Row 1 is the first row after the header.' }),
  outcome: z.enum(importOutcomes).meta({ example: 'CREATED' }),
  leadId: orNull(leadId),
  contactId: orNull(contactId),
  reason: orNull(z.string().meta({ example: null })),
});

const rowCount = z.int().min(0).meta({ example: 1 });

const leadImport = z
  .object({
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
  })
  .meta({ id: 'LeadImport' });

export const importLeads = contract({
  operationId: 'importLeads',
  method: 'POST',
  path: '/leads/{organization_id}/import',
  role: 'sender',
  summary: 'Import leads from CSV',
  description:
    'Accepts RFC 4180 CSV. The separator is the comma, semicolon, tab or `|` that the header has most often, or that a first line such as `sep=;` names. Required columns: name and email. Optional columns: phone, company, source, value (cents), notes, tags (separated by commas), utmSource, utmMedium, utmCampaign and `customFields.<key>`. Other columns are ignored. Each row creates a contact and a lead (CREATED), adds a lead to the existing contact with its email address (MERGED), or is rejected (REFUSED). Up to 100 rows are processed before the response, and the rest in the background. `dryRun` reports the result without importing. You can import an exported file: the apostrophes that the export adds are removed.',
  access: writes,
  memoryMb: 512,
  body: z.object({
    csv: text({
      min: 1,
      max: 1_000_000,
      example: 'name,email,company\r\nCharles Babbage,charles@example.com,Difference Ltd\r\n',
    }),
    pipelineId: optional(pipelineId).meta({ description: 'Default: the default pipeline' }),
    source: optional(source).meta({
      description: "The source for rows that don't specify one. Default: `import`",
    }),
    dryRun: optional(z.boolean().meta({ example: false })),
  }),
  status: 201,
  response: z.object({ import: leadImport }),
  message: 'Import started successfully',
  errors: ['PIPELINE_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const getImport = contract({
  operationId: 'getImport',
  path: '/leads/{organization_id}/imports/{import_id}',
  summary: 'Get the progress and results of an import',
  description: 'Returns the processed rows in file order. Imports are available for 30 days.',
  access: reads,
  query: z.object(paginationQuery),
  response: z.object({
    import: leadImport,
    pagination,
  }),
  message: 'Import retrieved successfully',
  errors: ['IMPORT_NOT_FOUND'],
});
