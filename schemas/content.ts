import {
  commaSeparated,
  dateRange,
  dayOrTime,
  emptyBody,
  id,
  localDayOrTime,
  maxLength,
  momentInAnyZone,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  publicText,
  text,
  timestamp,
  webUrl,
} from './common.ts';
import { contract, memberOfPath, notModified, openToAll, peopleOnly } from './contract.ts';
import { mediaId } from './media.ts';
import { networkRefusals, platform } from './platforms.ts';
import { settingsField } from './post-settings.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
export const postId = id('0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081');
export const groupId = id('0192f0c3-2b41-76d7-a8e9-5e6f70819203');
export const exampleAccountId = '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70';
export const socialAccountId = id(exampleAccountId);

const postStatuses = ['DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED', 'DELETED'] as const;
export type PostStatus = (typeof postStatuses)[number];

const postSources = ['CREATED', 'IMPORTED'] as const;
export type PostSource = (typeof postSources)[number];

/**
 * States of a first comment or a part of a thread. `UNKNOWN`: sent, but the network did not
 * confirm it.
 */
const partStatuses = ['PENDING', 'SENT', 'FAILED', 'UNKNOWN'] as const;
export type PartStatus = (typeof partStatuses)[number];

const postMetricNames = ['likes', 'comments', 'shares', 'clicks', 'reach', 'impressions'] as const;
export type PostMetricName = (typeof postMetricNames)[number];

const maxTags = 30;
/**
 * The maximum number of media in a post with its thread, because one transaction counts their uses.
 */
export const maxMedia = 35;
/** X allows threads of up to 25 posts. The first one is the post itself. */
const maxThreadParts = 24;
export const content = publicText({
  max: maxLength.notes,
  example: 'New engines are here',
  description: 'Networks can have lower limits. Exceeding them returns 400.',
});
const tag = name({ max: 50, example: 'engines' })
  .refine((value) => !value.includes(','), { error: 'must not contain a comma' })
  .meta({ example: 'engines', description: 'Must not contain a comma.' });
export const tags = z.array(tag).max(maxTags);
const keyword = name({ max: 50, example: 'ENGINE' });
const utm = name({ example: 'spring' });
const count = z.number().meta({ example: 12 });
const percentage = z.number().meta({ example: 4.5, description: 'Percent' });

export const scheduledAt = momentInAnyZone('2035-01-15T09:30:00.000Z', 'In the future');

export const mediaUrls = z
  .array(webUrl.meta({ example: 'https://example.com/engine.jpg' }))
  .max(maxMedia)
  .meta({
    id: 'NewMediaUrls',
    description:
      'Image or video URLs that the network can fetch. The content decides which, or the ending of a URL that cannot be read',
  });

export const mediaIds = z.array(mediaId).max(maxMedia).meta({
  id: 'NewMediaIds',
  description:
    'READY media of the library. They follow those of `mediaUrls`, and count with them. Their alternative texts go to the networks that accept one',
});

export const firstComment = publicText({
  max: maxLength.notes,
  example: 'Prices are on our page',
  description:
    'The account comments this on its post once it is published. On Facebook, Instagram, LinkedIn and YouTube',
});

export const thread = z
  .array(
    z
      .object({
        // Leaves room for long links, which X counts as 23 characters.
        content: publicText({ max: 1_000, example: 'They run on steam' }),
        mediaIds: optional(z.array(mediaId).max(maxMedia)),
      })
      .meta({ id: 'NewThreadPart' }),
  )
  .max(maxThreadParts)
  .meta({ description: 'Further posts, each a reply to the previous one. Only on X' });

const queryFlag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean().default(false),
);

const includeLiveData = queryFlag.meta({
  example: false,
  description: 'Reads current metrics from the networks, at most 10 times a minute per account',
});

const socialAccount = z.object({
  id: socialAccountId,
  platform,
  name: z.string().meta({ example: 'Engines on Facebook' }),
});

const liveMetrics = z.object({
  likes: orNull(count),
  comments: orNull(count),
  shares: orNull(count),
  clicks: orNull(count),
  reach: orNull(count),
  impressions: orNull(count),
});

const partStatus = z.enum(partStatuses).meta({
  example: 'PENDING',
  description: 'UNKNOWN: the network did not confirm it. Use the reconcile endpoint',
});

export const contentPost = z
  .object({
    id: postId,
    organizationId,
    socialAccountId,
    platform,
    content: z.string().meta({ example: 'New engines are here' }),
    mediaUrls: z.array(z.string().meta({ example: 'https://example.com/engine.jpg' })),
    mediaIds: z.array(mediaId),
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
    source: z.enum(postSources).meta({
      example: 'CREATED',
      description: 'IMPORTED: made at the network. Its media are not imported',
    }),
    groupId: orNull(groupId.meta({ example: null })),
    settings: orNull(settingsField),
    firstComment: orNull(
      z
        .object({
          text: z.string().meta({ example: 'Prices are on our page' }),
          status: partStatus,
          platformCommentId: orNull(z.string().meta({ example: '1789_2' })),
        })
        .meta({ example: null }),
    ),
    thread: z
      .array(
        z.object({
          content: z.string().meta({ example: 'They run on steam' }),
          mediaIds: z.array(mediaId),
          status: partStatus,
          platformPostId: orNull(z.string().meta({ example: '1789_3' })),
        }),
      )
      .meta({ example: [] }),
    failureReason: orNull(z.string().meta({ example: null, description: 'Why the post failed' })),
    failureCode: orNull(
      z.string().meta({
        example: null,
        description:
          'For OUTCOME_UNKNOWN, use the reconcile endpoint. LOCKED_PRIVATE: the network has the post, but only the account can see it',
      }),
    ),
    liveMetrics: liveMetrics.nullable().optional(),
    socialAccount: orNull(socialAccount),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'ContentPost' });

export const inOrganization = z.object({ organization_id: organizationId });

export const reads = memberOfPath('VIEWER');
export const writes = memberOfPath('MEMBER');

const newPost = {
  socialAccountId,
  platform,
  content,
  scheduledAt: optional(scheduledAt),
  mediaUrls: optional(mediaUrls),
  mediaIds: optional(mediaIds),
  firstComment: optional(firstComment),
  thread: optional(thread),
  settings: optional(settingsField),
};

export const utmParameters = {
  utmSource: optional(utm),
  utmMedium: optional(utm),
  utmCampaign: optional(utm),
};

const ofAnyPost = ['socialAccountId', 'platform', 'content'];

export const createContentPost = contract({
  operationId: 'createContentPost',
  method: 'POST',
  path: '/content/{organization_id}/posts',
  specified: true,
  role: 'sender',
  summary: 'Publish, schedule or draft a post',
  description: [
    'Publishes the post at `scheduledAt`, or immediately without it. A failed request leaves nothing behind, here or on the network, and can be retried.',
    'If the network does not confirm the post, it is kept as FAILED with the code OUTCOME_UNKNOWN and not sent again.',
    'Links in the text get the UTM parameters when the post is published, unless they have one of that name. `content` stays as written, and length limits apply to the text with parameters.',
    'While the network processes the media, the post stays SCHEDULED.',
    'Each part of a thread is sent once the result of the previous one is known. A part that fails or is not confirmed stops the thread: the post is FAILED, and published parts stay.',
  ].join(' '),
  access: writes,
  body: z.object({
    ...newPost,
    tags: optional(tags),
    keyword: optional(keyword),
    ...utmParameters,
    draft: optional(z.boolean().meta({ example: false })),
  }),
  bodyExamples: {
    scheduled: {
      summary: 'A scheduled post with an image',
      fields: [
        ...ofAnyPost,
        'scheduledAt',
        'mediaUrls',
        'firstComment',
        'settings',
        'tags',
        'keyword',
        ...Object.keys(utmParameters),
      ],
    },
    library: {
      summary: 'A scheduled post with a medium of the library',
      fields: [...ofAnyPost, 'scheduledAt', 'mediaIds'],
    },
    draft: { summary: 'A draft', fields: [...ofAnyPost, 'draft'], values: { draft: true } },
  },
  status: 201,
  response: z.object({ contentPost }),
  message: 'Content post created successfully',
  errors: [
    ...networkRefusals,
    'SOCIAL_ACCOUNT_NOT_FOUND',
    'MEDIA_NOT_FOUND',
    'CONTENT_KEYWORD_EXISTS',
  ],
  strict: true,
});

export const listContentPosts = contract({
  operationId: 'listContentPosts',
  path: '/content/{organization_id}/posts',
  specified: true,
  role: 'sender',
  summary: 'List posts, newest first',
  tool: true,
  description:
    'You can combine the filters. Without filters, or with one of account, platform, status, source and group, posts are sorted by creation; other lists by date. A page can be short if few posts match: continue with `nextCursor`. `tags` matches posts with any of the tags. The date of a post is its publication time, or else its scheduled time, or else its creation time.',
  access: reads,
  query: z.object({
    socialAccountId: socialAccountId.optional(),
    platform: platform.optional(),
    tags: commaSeparated(tag, maxTags, 'engines,spring').optional(),
    keyword: keyword.optional().meta({ example: 'ENGINE', description: 'Exact match' }),
    status: z.enum(postStatuses).meta({ example: 'PUBLISHED' }).optional(),
    groupId: groupId.optional(),
    source: z.enum(postSources).meta({ example: 'CREATED' }).optional(),
    search: name({ example: 'engines' }).optional(),
    ...dateRange(dayOrTime('start'), dayOrTime('end')),
    includeLiveData,
    ...paginationQuery,
  }),
  response: z.object({
    contentPosts: z.array(contentPost),
    pagination: pagination.extend({
      total: orNull(z.int().min(0).meta({ example: 1 })).meta({
        description: 'Null if there are too many posts to count those that match these filters',
      }),
    }),
  }),
  message: 'Content posts retrieved successfully',
});

export const getContentPost = contract({
  operationId: 'getContentPost',
  path: '/content/{organization_id}/posts/{post_id}',
  role: 'sender',
  summary: 'Get a post',
  tool: true,
  access: reads,
  query: z.object({ includeLiveData }),
  response: z.object({ contentPost }),
  message: 'Content post retrieved successfully',
  errors: ['CONTENT_POST_NOT_FOUND'],
});

export const updateContentPost = contract({
  operationId: 'updateContentPost',
  method: 'PATCH',
  path: '/content/{organization_id}/posts/{post_id}',
  specified: true,
  role: 'sender',
  summary: 'Update a post',
  tool: true,
  description:
    'Setting `scheduledAt` schedules a draft or a failed post. Clearing it turns the post into a draft. A new `scheduledAt` requires a connected, active account. `settings` replaces all settings, and null clears them. For published posts, you can change only the tags. A stopped thread continues at the new `scheduledAt`; its content cannot change.',
  access: writes,
  body: z.object({
    content: content.optional(),
    tags: tags.nullish(),
    scheduledAt: scheduledAt.nullish(),
    mediaUrls: mediaUrls.nullish(),
    mediaIds: mediaIds.nullish(),
    settings: settingsField.nullish(),
  }),
  response: z.object({ contentPost }),
  message: 'Content post updated successfully',
  errors: [
    'PLATFORM_TOKEN_INVALID',
    'CONTENT_POST_NOT_FOUND',
    'SOCIAL_ACCOUNT_NOT_FOUND',
    'MEDIA_NOT_FOUND',
    'WRONG_STATE',
  ],
  strict: true,
});

export const deleteContentPost = contract({
  operationId: 'deleteContentPost',
  method: 'DELETE',
  path: '/content/{organization_id}/posts/{post_id}',
  specified: true,
  role: 'sender',
  summary: 'Delete a post permanently',
  description:
    'Also deletes the post and its thread from the network, if the network supports it. Instagram and TikTok do not: the post stays there, and `deletedAtNetwork` is false. The same happens if the account is no longer connected. An imported post stays at the network, unless `atNetwork` is true. It is not imported again.',
  access: writes,
  query: z.object({
    atNetwork: queryFlag.meta({
      example: false,
      description: 'Also deletes an imported post from the network',
    }),
  }),
  response: z.object({
    deletedAtNetwork: z.boolean().meta({
      example: true,
      description: 'False if the post is, or may be, still visible on the network',
    }),
  }),
  message: 'Content post deleted successfully',
  errors: [...networkRefusals, 'CONTENT_POST_NOT_FOUND', 'WRONG_STATE'],
});

export const reconcileContentPost = contract({
  operationId: 'reconcileContentPost',
  method: 'POST',
  path: '/content/{organization_id}/posts/{post_id}/reconcile',
  role: 'sender',
  summary: 'Reconcile a post whose outcome is unknown',
  description:
    'Checks the network and marks the post as PUBLISHED, or as FAILED if the network does not have it. If the network cannot tell, the post stays unchanged. Sends nothing again. A thread continues after the part that was found. A first comment that is UNKNOWN is checked too.',
  access: writes,
  body: emptyBody,
  response: z.object({ contentPost }),
  message: 'Content post reconciled successfully',
  errors: ['CONTENT_POST_NOT_FOUND', 'WRONG_STATE', 'SOCIAL_PLATFORM_UNAVAILABLE'],
});

const preflightChecks = [
  'account',
  'platform',
  'schedule',
  'text',
  'media',
  'settings',
  'keyword',
  'token',
  'permissions',
  'quota',
] as const;
export type PreflightCheck = (typeof preflightChecks)[number];

export const preflightContentPost = contract({
  operationId: 'preflightContentPost',
  method: 'POST',
  path: '/content/{organization_id}/posts/preflight',
  role: 'sender',
  summary: 'Validate a post without publishing it',
  countedInHandler: ['accountPreflight'],
  access: writes,
  idempotent: false,
  body: z.object({ ...newPost, keyword: optional(keyword), ...utmParameters }),
  bodyExamples: {
    url: {
      summary: 'A post with an image',
      fields: [...ofAnyPost, 'scheduledAt', 'mediaUrls', 'firstComment', 'settings'],
    },
    library: {
      summary: 'A post with a medium of the library',
      fields: [...ofAnyPost, 'scheduledAt', 'mediaIds'],
    },
  },
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
  }),
  message: 'Content post checked successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND', 'MEDIA_NOT_FOUND', 'SOCIAL_PLATFORM_UNAVAILABLE'],
});

const metricList = commaSeparated(
  z.enum(postMetricNames).meta({ example: 'likes' }),
  postMetricNames.length,
  'likes,comments',
).meta({ description: 'What counts as engagement. Default: likes, comments and shares' });

export const getContentAnalytics = contract({
  operationId: 'getContentAnalytics',
  path: '/content/{organization_id}/analytics',
  specified: true,
  summary: 'Get content analytics for a date range',
  tool: true,
  description:
    'Covers posts published in the range, using their latest snapshot. Default: the last 30 days. Days are in the time zone of the organization. The engagement rate is engagement divided by reach, or by impressions if the reach is unknown. The click rate is clicks divided by impressions.',
  access: reads,
  query: z.object({
    ...dateRange(localDayOrTime, localDayOrTime),
    platform: platform.optional(),
    socialAccountId: socialAccountId.optional(),
    tags: commaSeparated(tag, maxTags, 'engines,spring').optional(),
    metrics: metricList.optional(),
  }),
  response: z.object({
    analytics: z.object({
      overview: z.object({
        totalPosts: count,
        totalEngagement: count,
        totalReach: count,
        totalClicks: count,
        averageEngagementRate: percentage,
        averageClickThroughRate: percentage,
      }),
      platforms: z.array(
        z.object({
          platform,
          posts: count,
          engagement: count,
          reach: count,
          clicks: count,
        }),
      ),
      topPerformingPosts: z.array(
        z.object({
          id: postId,
          content: z.string().meta({ example: 'New engines are here' }),
          engagement: count,
          reach: count,
          clicks: count,
        }),
      ),
      engagementTrends: z.array(
        z.object({
          date: z.string().meta({ example: '2026-01-15' }),
          engagement: count,
          reach: count,
        }),
      ),
    }),
  }),
  message: 'Content analytics retrieved successfully',
});

const shares = z.record(z.string(), z.number()).meta({ example: {}, description: 'Percent' });

export const getContentPerformance = contract({
  operationId: 'getContentPerformance',
  path: '/content/{organization_id}/posts/{post_id}/performance',
  specified: true,
  role: 'sender',
  summary: 'Get the performance of a post',
  description:
    'Based on metric snapshots. Hours and days are in the time zone that the organization had at the snapshot. `averageEngagementTime` is the average number of seconds between publication and engagement. `demographics` are shares in percent from the reports of YouTube, by its names of age groups (`18-24`) and genders (`female`). They are empty for videos with few views, and on the other networks, which report none for a post.',
  access: reads,
  response: z.object({
    performance: z.object({
      postId,
      content: z.string().meta({ example: 'New engines are here' }),
      metrics: z.object({
        likes: count,
        comments: count,
        shares: count,
        clicks: count,
        reach: count,
        impressions: count,
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
        leadsGenerated: count,
        conversions: count,
        revenue: z.number().meta({ example: 50_000, description: 'Cents' }),
      }),
    }),
  }),
  message: 'Content performance retrieved successfully',
  errors: ['CONTENT_POST_NOT_FOUND'],
});

export const renewCalendarFeed = contract({
  operationId: 'renewCalendarFeed',
  method: 'POST',
  path: '/content/{organization_id}/calendar',
  summary: "Create a new URL for the organization's calendar feed",
  description:
    'Calendar apps can subscribe to the URL. It is shown only once, and the previous URL stops working.',
  access: peopleOnly(writes),
  body: emptyBody,
  response: z.object({
    calendar: z.object({
      url: z.string().meta({
        example:
          'https://api.example.com/content/0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b/calendar.ics?token=4Zr',
      }),
    }),
  }),
  message: 'Calendar feed renewed successfully',
});

export const getCalendarFeed = contract({
  operationId: 'getCalendarFeed',
  path: '/content/{organization_id}/calendar.ics',
  summary: 'Get the publishing schedule as a calendar',
  description:
    'Contains posts published in the last 30 days and posts scheduled for the next year. `X-WR-TIMEZONE` names the time zone of the organization. An unchanged calendar is a 304 for its `ETag` in `If-None-Match`.',
  access: openToAll,
  rateLimit: 'publicPages',
  envelope: 'raw',
  contentType: 'text/calendar; charset=utf-8',
  query: z.object({ token: text({ min: 1, max: maxLength.token, example: '4Zr' }) }),
  response: z.object({}).meta({ description: 'A calendar.', example: 'BEGIN:VCALENDAR' }),
  otherResponses: [notModified],
  errors: ['CALENDAR_FEED_NOT_FOUND'],
});
