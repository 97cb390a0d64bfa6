import { newTemplateVariables, templateVariables } from './ai.ts';
import {
  commaSeparated,
  id,
  maxLength,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  text,
  timestamp,
} from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { followUp, newFollowUp } from './follow-up.ts';
import { channel, channels, platform } from './platforms.ts';
import { newPrivateReply, privateReply } from './private-reply.ts';
import { delivery, deliveryNotReplayable, webhookSecret, webhookUrl } from './webhooks.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const campaignId = id('0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4');
const pipelineId = id('0192f0c2-1a2b-7162-8394-0a1b2c3d4e5f');
const accountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const templateId = id('0192f0c4-3c4e-7697-88b9-5e6f708192a3');
const postId = id('0192f0c7-6f70-78a9-8acb-8091a2b3c4d5');

export const matchTypes = ['EXACT', 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const;
export type MatchType = (typeof matchTypes)[number];

const campaignStatuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

const maxKeywords = 40;
const maxAccounts = 50;
const maxPosts = 50;
const maxDelaySeconds = 86_400;

const count = z.int().min(0).meta({ example: 0 });
const percent = z.number().min(0).meta({ example: 12.5, description: 'Percent, 0 to 100' });

const campaignName = name({ min: 2, example: 'Spring sale' });
const description = text({ max: maxLength.description, example: 'Ten percent off all engines' });
const utm = name({ example: 'spring' });
const status = z.enum(campaignStatuses).meta({ example: 'ACTIVE' });

const keywordText = name({ max: 200, example: 'price' }).meta({
  description:
    'Compared without case, invisible characters, and punctuation or symbols at either end',
});
const matchType = z.enum(matchTypes).meta({ example: 'CONTAINS' });
const priority = z
  .int()
  .min(1)
  .max(1_000)
  .meta({ example: 1, description: '1 is the highest priority' });

const keyword = z
  .object({
    id: id('0192f0c6-5e70-78a9-bacb-8091a2b3c4d5'),
    keyword: keywordText,
    matchType,
    priority,
    createdAt: timestamp(),
  })
  .meta({ id: 'CampaignKeyword' });

const autoResponse = z.boolean().meta({ example: true });
const responseDelay = z
  .int()
  .min(0)
  .max(maxDelaySeconds)
  .meta({ example: 0, description: 'Seconds' });

const agentConfig = z
  .object({
    id: id('0192f0c6-5e71-79ba-8bdc-91a2b3c4d5e6'),
    channel,
    promptTemplateId: templateId,
    autoResponse,
    responseDelay,
    variables: orNull(templateVariables),
    privateReply: orNull(privateReply),
    followUp: orNull(followUp),
    createdAt: timestamp(),
  })
  .meta({ id: 'CampaignAgentConfig' });

const detailedAgentConfig = agentConfig.extend({
  promptTemplate: orNull(
    z.object({
      id: templateId,
      name: z.string().meta({ example: 'Sales' }),
      content: z.string().meta({ example: 'You answer for {{companyName}}.' }),
    }),
  ),
});

export const campaign = z
  .object({
    id: campaignId,
    organizationId,
    name: campaignName,
    description: orNull(description),
    pipelineId,
    platform,
    socialAccountIds: z.array(accountId),
    postIds: z.array(postId),
    keywords: z.array(keyword),
    agentConfigs: z.array(agentConfig),
    webhookUrl: orNull(webhookUrl),
    utmSource: orNull(utm),
    utmMedium: orNull(utm),
    utmCampaign: orNull(utm),
    status,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Campaign' });

const changedCampaign = campaign.extend({ webhookSecret }).meta({ id: 'CampaignWithSecret' });
const listedCampaign = campaign.extend({
  leadCount: count,
  conversionRate: percent,
  clicks: count.meta({ description: 'Links in answers that customers followed' }),
});
const detailedCampaign = listedCampaign.extend({
  agentConfigs: z.array(detailedAgentConfig),
  totalInteractions: count,
  averageResponseTime: z.number().min(0).meta({ example: 1.5, description: 'Seconds' }),
});

const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

const newKeywords = z
  .array(z.object({ keyword: keywordText, matchType, priority }).meta({ id: 'NewCampaignKeyword' }))
  .max(maxKeywords);
/**
 * Runs a check even if other fields are invalid, but not if the channel is. `depth` is the
 * channel's position in the path.
 */
function isChannelValid(depth: number) {
  return ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(({ path = [] }) => path.length > depth && path[depth] !== 'channel');
}

const newAgentConfig = z
  .object({
    channel: channel.meta({ example: 'COMMENT' }),
    promptTemplateId: templateId,
    autoResponse: optional(autoResponse),
    responseDelay: optional(responseDelay),
    variables: optional(newTemplateVariables),
    privateReply: optional(newPrivateReply).meta({
      description: 'Only for COMMENT: the private answer to a comment, sent without the AI',
    }),
    followUp: optional(newFollowUp).meta({
      description:
        'One message after the private answer (COMMENT) or the first answer (DIRECT_MESSAGE), unless the customer clicked or replied',
    }),
  })
  .refine((given) => !given.privateReply || given.channel === 'COMMENT', {
    error: 'is only possible for the channel COMMENT',
    path: ['privateReply'],
    when: isChannelValid(0),
  })
  .refine((given) => !given.followUp || given.channel !== 'POST', {
    error: 'is only possible for the channels COMMENT and DIRECT_MESSAGE',
    path: ['followUp'],
    when: isChannelValid(0),
  })
  .meta({ id: 'NewCampaignAgentConfig' });
const newAgentConfigs = z
  .array(newAgentConfig)
  .max(channels.length)
  .refine((given) => new Set(given.map((config) => config.channel)).size === given.length, {
    error: 'must not contain duplicate channels',
    when: isChannelValid(1),
  });
const socialAccountIds = z.array(accountId).max(maxAccounts);
const postIds = z.array(postId).max(maxPosts).meta({
  description:
    'Limits comments and mentions to these content posts. Direct messages always match. Empty: all posts',
});

export const createCampaign = contract({
  operationId: 'createCampaign',
  method: 'POST',
  path: '/campaigns/{organization_id}',
  specified: true,
  summary: 'Create a campaign',
  tool: true,
  description:
    'The campaign is active immediately, unless you create it as a draft. A keyword can belong to only one campaign that is neither completed nor archived. Otherwise the response is a 409 with `conflictingCampaign`. `platform` is the primary network; the accounts may be on any network. Only an ADMIN or OWNER can set `webhookUrl`, and no API key. `webhookSecret` is shown only once.',
  access: writes,
  body: z.object({
    name: campaignName,
    description: optional(description),
    pipelineId,
    platform,
    socialAccountIds,
    postIds: optional(postIds),
    keywords: optional(newKeywords),
    agentConfigs: optional(newAgentConfigs),
    webhookUrl: optional(webhookUrl),
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
    status: optional(z.enum(['DRAFT', 'ACTIVE']).meta({ example: 'ACTIVE' })),
  }),
  status: 201,
  response: z.object({ campaign: changedCampaign }),
  message: 'Campaign created successfully',
  errors: [
    'PERSON_REQUIRED',
    'PIPELINE_NOT_FOUND',
    'SOCIAL_ACCOUNT_NOT_FOUND',
    'PROMPT_TEMPLATE_NOT_FOUND',
    'CONTENT_POST_NOT_FOUND',
    'KEYWORD_IN_USE',
    'QUOTA_EXCEEDED',
  ],
});

export const listCampaigns = contract({
  operationId: 'listCampaigns',
  path: '/campaigns/{organization_id}',
  specified: true,
  summary: 'List campaigns, newest first',
  tool: true,
  description:
    '`socialAccountIds` is a comma-separated list that matches campaigns with any of these accounts. `search` matches the name and description.',
  access: reads,
  query: z.object({
    pipelineId: pipelineId.optional(),
    socialAccountIds: commaSeparated(
      accountId,
      maxAccounts,
      '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70',
    ).optional(),
    platform: platform.optional(),
    status: status.optional(),
    search: text({ max: maxLength.name, example: 'spring' }).optional(),
    ...paginationQuery,
  }),
  response: z.object({
    campaigns: z.array(listedCampaign),
    pagination,
  }),
  message: 'Campaigns retrieved successfully',
});

export const getCampaign = contract({
  operationId: 'getCampaign',
  path: '/campaigns/{organization_id}/{campaign_id}',
  specified: true,
  summary: 'Get a campaign with its metrics and agent templates',
  tool: true,
  access: reads,
  response: z.object({ campaign: detailedCampaign }),
  message: 'Campaign retrieved successfully',
  errors: ['CAMPAIGN_NOT_FOUND'],
});

export const updateCampaign = contract({
  operationId: 'updateCampaign',
  method: 'PATCH',
  path: '/campaigns/{organization_id}/{campaign_id}',
  specified: true,
  role: 'sender',
  summary: 'Update a campaign',
  tool: true,
  description:
    'An array replaces all entries, and an empty array removes them. Allowed status changes: DRAFT to ACTIVE, ACTIVE to PAUSED and back, ACTIVE or PAUSED to COMPLETED, any status to ARCHIVED. Only an ADMIN or OWNER can change `webhookUrl`, and no API key. For them, setting `webhookUrl`, even to the same URL, creates a new `webhookSecret`, which is shown only once. For 24 hours, events are also signed with the previous secret.',
  access: writes,
  body: z.object({
    name: campaignName.optional(),
    description: description.nullish(),
    pipelineId: pipelineId.optional(),
    platform: platform.optional(),
    keywords: newKeywords.nullish(),
    agentConfigs: newAgentConfigs.nullish(),
    socialAccountIds: socialAccountIds.nullish(),
    postIds: postIds.nullish(),
    webhookUrl: webhookUrl.nullish(),
    utmSource: utm.nullish(),
    utmMedium: utm.nullish(),
    utmCampaign: utm.nullish(),
    status: status.optional(),
  }),
  response: z.object({ campaign: changedCampaign }),
  message: 'Campaign updated successfully',
  errors: [
    'PERSON_REQUIRED',
    'CAMPAIGN_NOT_FOUND',
    'PIPELINE_NOT_FOUND',
    'SOCIAL_ACCOUNT_NOT_FOUND',
    'PROMPT_TEMPLATE_NOT_FOUND',
    'CONTENT_POST_NOT_FOUND',
    'KEYWORD_IN_USE',
  ],
});

export const deleteCampaign = contract({
  operationId: 'deleteCampaign',
  method: 'DELETE',
  path: '/campaigns/{organization_id}/{campaign_id}',
  specified: true,
  summary: 'Permanently delete a campaign, its keywords and its agents',
  access: memberOfPath('ADMIN'),
  message: 'Campaign deleted successfully',
  errors: ['CAMPAIGN_NOT_FOUND'],
});

export const keywordConflictTypes = ['USED_BY_CAMPAIGN', 'DUPLICATE'] as const;
export const suggestionTypes = ['SHADOWED', 'SUBSTRING_RISK'] as const;

const namedCampaign = z.object({
  id: campaignId,
  name: z.string().meta({ example: 'Spring sale' }),
});

export const validateKeywords = contract({
  operationId: 'validateKeywords',
  method: 'POST',
  path: '/campaigns/{organization_id}/validate-keywords',
  specified: true,
  summary: 'Validate campaign keywords',
  tool: true,
  description:
    "Changes nothing. Pass `campaignId` to ignore conflicts with the campaign's own keywords. `estimatedCoverage` is the share of the last 1,000 customer messages that the keywords would have matched.",
  access: reads,
  body: z.object({
    keywords: z
      .array(z.object({ keyword: keywordText, matchType, priority: optional(priority) }))
      .max(maxKeywords),
    campaignId: optional(campaignId),
  }),
  response: z.object({
    validation: z.object({
      valid: z.boolean().meta({ example: true }),
      conflicts: z.array(
        z.object({
          keyword: keywordText,
          matchType,
          type: z.enum(keywordConflictTypes).meta({ example: 'USED_BY_CAMPAIGN' }),
          conflictingCampaign: orNull(namedCampaign),
        }),
      ),
      suggestions: z.array(
        z.object({
          keyword: keywordText,
          suggestion: z.string().meta({ example: 'Use EXACT, or a longer phrase' }),
          type: z.enum(suggestionTypes).meta({ example: 'SUBSTRING_RISK' }),
        }),
      ),
      statistics: z.object({
        totalKeywords: count,
        exactMatches: count,
        containsMatches: count,
        estimatedCoverage: percent,
      }),
    }),
  }),
  message: 'Keywords validated successfully',
});

export const listCampaignKeywords = contract({
  operationId: 'listCampaignKeywords',
  path: '/campaigns/{organization_id}/keywords',
  specified: true,
  summary: 'List the keywords of all campaigns, by campaign and priority',
  access: reads,
  response: z.object({
    keywords: z.array(
      z.object({
        keyword: keywordText,
        matchType,
        campaignId,
        campaignName: z.string().meta({ example: 'Spring sale' }),
        status,
        priority,
        createdAt: timestamp(),
      }),
    ),
    total: count,
  }),
  message: 'Keywords retrieved successfully',
});

export const listCampaignDeliveries = contract({
  operationId: 'listCampaignDeliveries',
  path: '/campaigns/{organization_id}/{campaign_id}/deliveries',
  summary: 'List webhook deliveries of a campaign from the last 30 days, newest first',
  access: reads,
  query: z.object(paginationQuery),
  response: z.object({
    deliveries: z.array(delivery),
    pagination,
  }),
  message: 'Deliveries retrieved successfully',
  errors: ['CAMPAIGN_NOT_FOUND'],
});

export const replayCampaignDelivery = contract({
  operationId: 'replayCampaignDelivery',
  method: 'POST',
  path: '/campaigns/{organization_id}/{campaign_id}/deliveries/{delivery_id}/replay',
  role: 'sender',
  summary: 'Replay a webhook delivery of a campaign',
  description: 'Keeps the same `webhook-id` and restarts all delivery attempts.',
  access: writes,
  response: z.object({ delivery }),
  message: 'Delivery restarted',
  errors: ['CAMPAIGN_NOT_FOUND', 'DELIVERY_NOT_FOUND', deliveryNotReplayable],
});
