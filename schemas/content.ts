import {
  commaSeparated,
  dayOrTime,
  emptyBody,
  id,
  maxLength,
  momentInAnyZone,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  publicText,
  says,
  text,
  timestamp,
  webUrl,
} from './common.ts';
import { contract, memberOfPath, openToAll } from './contract.ts';
import { networkRefusals, platform, tokenRefusal } from './platforms.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const postId = id('0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081');
const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');

const postStatuses = ['DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED', 'DELETED'] as const;
export type PostStatus = (typeof postStatuses)[number];

const postMetricNames = ['likes', 'comments', 'shares', 'clicks', 'reach', 'impressions'] as const;
export type PostMetricName = (typeof postMetricNames)[number];

const maxTags = 30;
const maxMedia = 35;
const content = publicText({
  max: maxLength.notes,
  example: 'New engines are here',
  description: 'A network may take less: then 400.',
});
const tag = name({ max: 50, example: 'engines' })
  .refine((value) => !value.includes(','), { error: 'must not contain a comma' })
  .meta({ example: 'engines', description: 'Without a comma.' });
const tags = z.array(tag).max(maxTags);
const keyword = name({ max: 50, example: 'ENGINE' });
const utm = name({ example: 'spring' });
const figure = z.number().meta({ example: 12 });
const percentage = z.number().meta({ example: 4.5, description: 'Percent' });

const scheduledAt = momentInAnyZone('2035-01-15T09:30:00.000Z', 'In the future');

const mediaUrls = z
  .array(webUrl.meta({ example: 'https://example.com/engine.jpg' }))
  .max(maxMedia)
  .meta({ description: 'Images or videos that the network can fetch' });

const isTrue = z
  .preprocess(
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    z.boolean().default(false),
  )
  .meta({ example: false });

const socialAccount = z.object({
  id: socialAccountId,
  platform,
  name: z.string().meta({ example: 'Engines on Facebook' }),
});

const liveMetrics = z.object({
  likes: orNull(figure),
  comments: orNull(figure),
  shares: orNull(figure),
  clicks: orNull(figure),
  reach: orNull(figure),
  impressions: orNull(figure),
});

const contentPost = z.object({
  id: postId,
  organizationId,
  socialAccountId,
  platform,
  content: z.string().meta({ example: 'New engines are here' }),
  mediaUrls: z.array(z.string().meta({ example: 'https://example.com/engine.jpg' })),
  platformPostId: orNull(z.string().meta({ example: '1789_1' })),
  url: orNull(z.string().meta({ example: 'https://example.com/posts/1' })),
  scheduledAt: orNull(timestamp()),
  publishedAt: orNull(timestamp()),
  tags: z.array(z.string().meta({ example: 'engines' })),
  keyword: orNull(z.string().meta({ example: 'ENGINE' })),
  utmSource: orNull(utm),
  utmMedium: orNull(utm),
  utmCampaign: orNull(utm),
  status: z.enum(postStatuses).meta({ example: 'PUBLISHED' }),
  failureReason: orNull(z.string().meta({ example: null, description: 'Why it is FAILED' })),
  failureCode: orNull(
    z.string().meta({ example: null, description: 'OUTCOME_UNKNOWN: see reconcile' }),
  ),
  liveMetrics: liveMetrics.nullable().optional(),
  socialAccount: orNull(socialAccount),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

const inOrganization = z.object({ organization_id: organizationId });
const postInPath = inOrganization.extend({ post_id: postId });

const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

const newPost = {
  socialAccountId,
  platform,
  content,
  scheduledAt: optional(scheduledAt),
  mediaUrls: optional(mediaUrls),
};

export const createContentPost = contract({
  operationId: 'createContentPost',
  area: 'content',
  method: 'POST',
  path: '/content/{organization_id}/posts',
  summary: 'Publish a post, schedule it, or keep a draft',
  description: [
    'With `scheduledAt` it is published then, without it now. A call that ends in a failure has left nothing, neither here nor at the network, and can be sent again.',
    'Where the network took the post and never answered, the post is kept as FAILED with the code OUTCOME_UNKNOWN, and is not sent again.',
    'A network that is still working on the media lets the post stand as SCHEDULED until it is done.',
  ].join(' '),
  access: writes,
  params: inOrganization,
  body: z.object({
    ...newPost,
    tags: optional(tags),
    keyword: optional(keyword),
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
    draft: optional(z.boolean().meta({ example: false })),
  }),
  status: 201,
  response: z.object({ contentPost, message: says('Content post created successfully') }),
  errors: [...networkRefusals, 'notFound', 'conflict'],
  timeoutSeconds: 29,
});

const dateRange = {
  dateFrom: dayOrTime('start').optional(),
  dateTo: dayOrTime('end').optional(),
};

export const listContentPosts = contract({
  operationId: 'listContentPosts',
  area: 'content',
  method: 'GET',
  path: '/content/{organization_id}/posts',
  summary: 'List posts, newest first',
  description:
    'The filters can be combined. A post passes `tags` if it has one of them. Its date is when it was published, else when it is scheduled for, else when it was created.',
  access: reads,
  params: inOrganization,
  query: z.object({
    socialAccountId: socialAccountId.optional(),
    platform: platform.optional(),
    tags: commaSeparated(tag, maxTags, 'engines,spring').optional(),
    keyword: keyword.optional(),
    search: name({ example: 'engines' }).optional(),
    ...dateRange,
    includeLiveData: isTrue,
    ...paginationQuery,
  }),
  response: z.object({
    contentPosts: z.array(contentPost),
    pagination,
    message: says('Content posts retrieved successfully'),
  }),
});

export const getContentPost = contract({
  operationId: 'getContentPost',
  area: 'content',
  method: 'GET',
  path: '/content/{organization_id}/posts/{post_id}',
  summary: 'Read a post',
  access: reads,
  extension: true,
  params: postInPath,
  query: z.object({ includeLiveData: isTrue }),
  response: z.object({ contentPost, message: says('Content post retrieved successfully') }),
  errors: ['notFound'],
});

export const updateContentPost = contract({
  operationId: 'updateContentPost',
  area: 'content',
  method: 'PATCH',
  path: '/content/{organization_id}/posts/{post_id}',
  summary: 'Change a post that is not published',
  description:
    'A draft or a failed post with a new `scheduledAt` is scheduled; one whose `scheduledAt` is cleared becomes a draft. A new `scheduledAt` needs an account that is connected and active, as a new post does. Of a published post only the tags change.',
  access: writes,
  params: postInPath,
  body: z.object({
    content: content.optional(),
    tags: tags.nullish(),
    scheduledAt: scheduledAt.nullish(),
    mediaUrls: mediaUrls.nullish(),
  }),
  response: z.object({ contentPost, message: says('Content post updated successfully') }),
  errors: [tokenRefusal, 'notFound', 'conflict'],
});

export const deleteContentPost = contract({
  operationId: 'deleteContentPost',
  area: 'content',
  method: 'DELETE',
  path: '/content/{organization_id}/posts/{post_id}',
  summary: 'Delete a post for good',
  description: 'At the network too, where it lets posts be deleted.',
  access: writes,
  params: postInPath,
  response: z.object({ message: says('Content post deleted successfully') }),
  errors: [...networkRefusals, 'notFound', 'conflict'],
});

export const reconcileContentPost = contract({
  operationId: 'reconcileContentPost',
  area: 'content',
  method: 'POST',
  path: '/content/{organization_id}/posts/{post_id}/reconcile',
  summary: 'Look at the network what became of a post whose outcome is not known',
  description:
    'The post ends as PUBLISHED, or as FAILED if the network does not have it; where the network cannot tell, it stays as it is. Nothing is sent again.',
  access: writes,
  extension: true,
  params: postInPath,
  body: emptyBody,
  response: z.object({ contentPost, message: says('Content post reconciled successfully') }),
  errors: ['notFound', 'conflict', 'upstream'],
});

const preflightChecks = [
  'account',
  'platform',
  'schedule',
  'text',
  'media',
  'keyword',
  'token',
  'permissions',
  'quota',
] as const;
export type PreflightCheck = (typeof preflightChecks)[number];

export const preflightContentPost = contract({
  operationId: 'preflightContentPost',
  area: 'content',
  method: 'POST',
  path: '/content/{organization_id}/posts/preflight',
  summary: 'Check a post as publishing it would, without publishing it',
  access: writes,
  extension: true,
  idempotent: false,
  params: inOrganization,
  body: z.object({ ...newPost, keyword: optional(keyword) }),
  response: z.object({
    preflight: z.object({
      isReady: z.boolean().meta({ example: true }),
      checks: z.array(
        z.object({
          check: z.enum(preflightChecks).meta({ example: 'text' }),
          passed: z.boolean().meta({ example: true }),
          problem: orNull(z.string().meta({ example: null })),
        }),
      ),
    }),
    message: says('Content post checked successfully'),
  }),
  errors: ['notFound', 'upstream'],
});

const metricList = commaSeparated(
  z.enum(postMetricNames).meta({ example: 'likes' }),
  postMetricNames.length,
  'likes,comments',
).meta({ description: 'What counts as engagement: likes, comments and shares by default' });

export const getContentAnalytics = contract({
  operationId: 'getContentAnalytics',
  area: 'content',
  method: 'GET',
  path: '/content/{organization_id}/analytics',
  summary: 'Read the figures of the posts of a time',
  description:
    'Of the posts that were published in it, as the latest snapshot has them; the last 30 days by default. A rate is engagement over reach, or over impressions where reach is not known; clicks over impressions.',
  access: reads,
  params: inOrganization,
  query: z.object({
    ...dateRange,
    platform: platform.optional(),
    socialAccountId: socialAccountId.optional(),
    tags: commaSeparated(tag, maxTags, 'engines,spring').optional(),
    metrics: metricList.optional(),
  }),
  response: z.object({
    analytics: z.object({
      overview: z.object({
        totalPosts: figure,
        totalEngagement: figure,
        totalReach: figure,
        totalClicks: figure,
        averageEngagementRate: percentage,
        averageClickThroughRate: percentage,
      }),
      platforms: z.array(
        z.object({
          platform,
          posts: figure,
          engagement: figure,
          reach: figure,
          clicks: figure,
        }),
      ),
      topPerformingPosts: z.array(
        z.object({
          id: postId,
          content: z.string().meta({ example: 'New engines are here' }),
          engagement: figure,
          reach: figure,
          clicks: figure,
        }),
      ),
      engagementTrends: z.array(
        z.object({
          date: z.string().meta({ example: '2026-01-15' }),
          engagement: figure,
          reach: figure,
        }),
      ),
    }),
    message: says('Content analytics retrieved successfully'),
  }),
});

const shares = z.record(z.string(), z.number()).meta({ example: {} });

export const getContentPerformance = contract({
  operationId: 'getContentPerformance',
  area: 'content',
  method: 'GET',
  path: '/content/{organization_id}/posts/{post_id}/performance',
  summary: 'Read how a post does',
  description:
    'From its snapshots; times are in UTC. `averageEngagementTime` is how many seconds after publication the engagement came, in the mean. `demographics` is empty where the network tells none.',
  access: reads,
  params: postInPath,
  response: z.object({
    performance: z.object({
      postId,
      content: z.string().meta({ example: 'New engines are here' }),
      metrics: z.object({
        likes: figure,
        comments: figure,
        shares: figure,
        clicks: figure,
        reach: figure,
        impressions: figure,
        engagementRate: percentage,
        clickThroughRate: percentage,
      }),
      demographics: z.object({ ageGroups: shares, genders: shares }),
      timing: z.object({
        bestPerformingHour: orNull(z.int().min(0).max(23).meta({ example: 14 })),
        bestPerformingDay: orNull(z.string().meta({ example: 'Tuesday' })),
        averageEngagementTime: z.number().meta({ example: 5_400, description: 'Seconds' }),
      }),
      attribution: z.object({
        leadsGenerated: figure,
        conversions: figure,
        revenue: z.number().meta({ example: 50_000, description: 'Cents' }),
      }),
    }),
    message: says('Content performance retrieved successfully'),
  }),
  errors: ['notFound'],
});

export const renewCalendarFeed = contract({
  operationId: 'renewCalendarFeed',
  area: 'content',
  method: 'POST',
  path: '/content/{organization_id}/calendar',
  summary: "Make the address of the organization's calendar feed anew",
  description:
    'A calendar program reads the schedule there. The address is shown this once; the one before does not work any more.',
  access: writes,
  extension: true,
  params: inOrganization,
  body: emptyBody,
  response: z.object({
    calendar: z.object({
      url: z.string().meta({
        example:
          'https://api.example.com/content/0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b/calendar.ics?token=4Zr',
      }),
    }),
    message: says('Calendar feed renewed successfully'),
  }),
});

export const getCalendarFeed = contract({
  operationId: 'getCalendarFeed',
  area: 'content',
  method: 'GET',
  path: '/content/{organization_id}/calendar.ics',
  summary: 'Read the schedule as a calendar',
  description: 'What was published in the last 30 days, and what is scheduled for the next year.',
  access: openToAll,
  extension: true,
  envelope: 'raw',
  contentType: 'text/calendar; charset=utf-8',
  params: inOrganization,
  query: z.object({ token: text({ min: 1, max: maxLength.token, example: '4Zr' }) }),
  response: z.object({}).meta({ description: 'A calendar.', example: 'BEGIN:VCALENDAR' }),
  errors: ['notFound'],
});

export const contentContracts = [
  createContentPost,
  listContentPosts,
  preflightContentPost,
  getContentPost,
  updateContentPost,
  deleteContentPost,
  reconcileContentPost,
  getContentPerformance,
  getContentAnalytics,
  renewCalendarFeed,
  getCalendarFeed,
] as const;
