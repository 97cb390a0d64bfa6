import {
  dateRange,
  email,
  emptyBody,
  id,
  name,
  optional,
  orNull,
  queryBoolean,
  queryDate,
  text,
  timestamp,
  total,
} from './common.ts';
import { contract, memberOfCurrent, signedIn } from './contract.ts';
import { messagingStates, networkRefusals, platform } from './platforms.ts';
import * as z from './zod.ts';

const accountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');

const tokenText = text({ min: 1, max: 4_096, example: 'EAAG9ZCx0BAF' });
const platformUserId = name({ max: 200, example: '17841400000000001' });
const platformUserName = name({ max: 200, example: 'Engines on Facebook' });
const permissions = z
  .array(name({ example: 'pages_manage_posts' }))
  .max(100)
  .meta({ example: ['pages_manage_posts', 'pages_messaging'] });
/** From the network, or from the user who connected the account. */
const shown = {
  platformUserId: z.string().meta({ example: '17841400000000001' }),
  permissions: z.array(z.string()).meta({ example: ['pages_manage_posts', 'pages_messaging'] }),
};
const messaging = z.enum(messagingStates).meta({
  example: 'CONNECTED',
  description:
    'Whether private messages work. MISSING: TikTok also needs `businessToken`, for comments too. EXPIRED: connect the account or its `businessToken` again. NOT_SUPPORTED: the network has no messages.',
});
const expiresIn = z
  .int()
  .min(1)
  .max(315_360_000)
  .meta({ example: 5_184_000, description: 'Seconds until the token expires' });
const businessToken = z
  .object({
    accessToken: tokenText,
    refreshToken: tokenText,
    expiresIn: expiresIn.meta({ example: 86_400 }),
    openId: name({ max: 200, example: '_000vV2xQ1sTbUcWkYl' }).meta({
      description: "The account's `open_id` in the app of TikTok's Business API",
    }),
  })
  .meta({
    description:
      "TikTok only: the account's token of the Business API, which messages and comments need.",
  });
const count = z.number().meta({ example: 120 });
const percentage = z.number().meta({ example: 4.2, description: 'Percent' });

const totals = z.object({
  totalPosts: count,
  totalFollowers: count,
  totalEngagement: count,
  lastPostDate: orNull(timestamp()),
});

export const account = z
  .object({
    id: accountId,
    organizationId,
    platform,
    platformUserId: shown.platformUserId,
    platformUserName: z.string().meta({ example: 'Engines on Facebook' }),
    platformUserEmail: orNull(z.string().meta({ example: 'ada@example.com' })),
    permissions: shown.permissions,
    isActive: z.boolean().meta({ example: true }),
    messaging,
    inactiveReason: orNull(
      z.string().meta({
        example: null,
        description: 'Why the network no longer accepts the token',
      }),
    ),
    subscribedAt: orNull(timestamp()).meta({
      description: 'When the network last confirmed that it sends the events of the account',
    }),
    subscriptionFailure: orNull(
      z.string().meta({
        example: null,
        description: 'Why the network may not send the events of the account',
      }),
    ),
    tokenExpiresAt: orNull(timestamp()),
    lastSyncAt: orNull(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'SocialAccount' });

const listedAccount = account.extend({ stats: orNull(totals) });

const reads = memberOfCurrent('VIEWER');
const writes = memberOfCurrent('MEMBER');
const administers = memberOfCurrent('ADMIN');

/** Checking tokens and subscribing need several calls to a potentially slow network. */
const callsNetworkSeconds = 29;

export const connectSocialAccount = contract({
  operationId: 'connectSocialAccount',
  method: 'POST',
  path: '/social/connect',
  specified: true,
  role: 'sender',
  summary: 'Connect a social account',
  description:
    'Validates the token with the network. It must belong to `platformUserId`. An account can be connected to only one organization. Reconnecting an account whose token became invalid keeps its id.',
  access: administers,
  body: z.object({
    platform,
    accessToken: tokenText,
    refreshToken: optional(tokenText),
    expiresIn: optional(expiresIn),
    platformUserId,
    platformUserName,
    platformUserEmail: optional(email),
    permissions: optional(permissions),
    businessToken: optional(businessToken),
  }),
  bodyExamples: {
    facebook: {
      summary: 'A Facebook page',
      fields: ['platform', 'accessToken', 'platformUserId', 'platformUserName', 'permissions'],
    },
    tiktok: {
      summary: 'A TikTok account with a token for messages',
      fields: [
        'platform',
        'accessToken',
        'refreshToken',
        'expiresIn',
        'platformUserId',
        'platformUserName',
        'businessToken',
      ],
      values: { platform: 'TIKTOK', platformUserName: 'Engines on TikTok' },
    },
  },
  status: 201,
  response: z.object({ socialAccount: account }),
  message: 'Social account connected successfully',
  errors: [...networkRefusals, 'SOCIAL_ACCOUNT_CONNECTED'],
  timeoutSeconds: callsNetworkSeconds,
});

export const listSocialAccounts = contract({
  operationId: 'listSocialAccounts',
  path: '/social/accounts',
  specified: true,
  summary: 'List social accounts, newest first',
  tool: true,
  access: reads,
  query: z.object({
    platform: platform.optional(),
    isActive: queryBoolean.optional(),
    includeStats: queryBoolean.optional(),
  }),
  response: z.object({
    socialAccounts: z.array(listedAccount),
    total,
  }),
  message: 'Social accounts retrieved successfully',
});

export const updateSocialAccount = contract({
  operationId: 'updateSocialAccount',
  method: 'PATCH',
  path: '/social/accounts/{account_id}',
  specified: true,
  summary: "Update a social account's name, permissions and token for messages",
  description: 'Only owners and admins can set `businessToken`, which replaces the former one.',
  access: writes,
  role: 'sender',
  body: z.object({
    platformUserName: platformUserName.optional(),
    permissions: optional(permissions),
    businessToken: businessToken.optional(),
  }),
  bodyExamples: {
    name: { summary: 'Name and permissions', fields: ['platformUserName', 'permissions'] },
  },
  response: z.object({ socialAccount: account }),
  message: 'Social account updated successfully',
  errors: [...networkRefusals, 'SOCIAL_ACCOUNT_NOT_FOUND', 'SOCIAL_ACCOUNT_CONNECTED'],
  timeoutSeconds: callsNetworkSeconds,
});

export const disconnectSocialAccount = contract({
  operationId: 'disconnectSocialAccount',
  method: 'DELETE',
  path: '/social/accounts/{account_id}',
  specified: true,
  role: 'sender',
  summary: 'Disconnect a social account',
  description:
    'Removes the account, unsubscribes from its events on the network and cancels its scheduled posts.',
  access: administers,
  message: 'Social account disconnected successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});

export const refreshSocialAccountToken = contract({
  operationId: 'refreshSocialAccountToken',
  method: 'POST',
  path: '/social/accounts/{account_id}/refresh-token',
  specified: true,
  role: 'sender',
  summary: "Refresh a social account's token",
  description:
    'Concurrent requests share one refresh. `refreshToken`, if given, is used instead of the stored one.',
  access: administers,
  body: z.object({ refreshToken: optional(tokenText) }),
  response: z.object({
    tokenInfo: z.object({
      accessToken: z.string().meta({ example: 'EAAG9ZCx0BAF' }),
      refreshToken: orNull(z.string().meta({ example: 'EAAG9ZCx0BAG' })),
      expiresIn: orNull(z.int().meta({ example: 5_184_000, description: 'Seconds' })),
      tokenType: z.string().meta({ example: 'Bearer' }),
      refreshedAt: timestamp(),
    }),
  }),
  message: 'Token refreshed successfully',
  errors: [...networkRefusals, 'SOCIAL_ACCOUNT_NOT_FOUND'],
  timeoutSeconds: callsNetworkSeconds,
});

export const validateSocialAccountToken = contract({
  operationId: 'validateSocialAccountToken',
  method: 'POST',
  path: '/social/accounts/{account_id}/validate-token',
  specified: true,
  role: 'sender',
  summary: "Validate a social account's token with its network",
  countedInHandler: ['accountTokenCheck'],
  access: writes,
  body: emptyBody,
  response: z.object({
    validation: z.object({
      isValid: z.boolean().meta({ example: true }),
      expiresAt: orNull(timestamp()),
      permissions: shown.permissions,
      platformUserId: shown.platformUserId,
      messaging,
      validatedAt: timestamp(),
    }),
  }),
  message: 'Token validated successfully',
  errors: [...networkRefusals, 'SOCIAL_ACCOUNT_NOT_FOUND'],
  timeoutSeconds: callsNetworkSeconds,
});

const tokenFamilies = ['META_PAGE', 'INSTAGRAM_LONG', 'ROTATING', 'LINKEDIN', 'GOOGLE'] as const;
export type TokenFamilyName = (typeof tokenFamilies)[number];

export const getTokenHealth = contract({
  operationId: 'getTokenHealth',
  path: '/social/accounts/{account_id}/token-health',
  summary: "Get the health of a social account's token",
  description: 'Returns what is stored, without calling the network.',
  access: reads,
  response: z.object({
    tokenHealth: z.object({
      family: z.enum(tokenFamilies).meta({ example: 'META_PAGE' }),
      expiresAt: orNull(timestamp()),
      refreshable: z
        .boolean()
        .meta({ example: false, description: 'Whether the token is renewed without a person' }),
      missingPermissions: z.array(z.string()).meta({
        example: [],
        description:
          'Requested permissions that were not granted. Empty if no permissions are known',
      }),
      postsAtRisk: z.int().min(0).meta({
        example: 0,
        description: 'Posts scheduled after the token expires. 0 while it is renewed',
      }),
      lastRefreshAt: orNull(timestamp()),
      lastError: orNull(
        z.string().meta({
          example: null,
          description: 'Why the last renewal failed, or why the account is inactive',
        }),
      ),
    }),
  }),
  message: 'Token health retrieved successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});

export const listSocialAccountPages = contract({
  operationId: 'listSocialAccountPages',
  path: '/social/accounts/{account_id}/pages',
  specified: true,
  role: 'sender',
  summary: "List pages, channels and organizations available to a social account's token",
  countedInHandler: ['accountPages'],
  access: reads,
  response: z.object({
    pages: z.array(
      z.object({
        id: z.string().meta({ example: '1789000000000001' }),
        name: z.string().meta({ example: 'Engines on Facebook' }),
        category: orNull(z.string().meta({ example: 'Machinery' })),
        platformPageId: z.string().meta({ example: '1789000000000001' }),
        url: orNull(z.string().meta({ example: 'https://example.com/engines' })),
        isActive: z.boolean().meta({ example: true }),
        followersCount: orNull(count),
        lastPostDate: orNull(timestamp()),
      }),
    ),
    total,
  }),
  message: 'Platform pages retrieved successfully',
  errors: [...networkRefusals, 'SOCIAL_ACCOUNT_NOT_FOUND'],
  timeoutSeconds: callsNetworkSeconds,
});

const syncTypes = ['full', 'incremental'] as const;

const part = (what: string) =>
  optional(z.boolean().meta({ example: true, description: `${what}. Default: true` }));

export const syncSocialAccount = contract({
  operationId: 'syncSocialAccount',
  method: 'POST',
  path: '/social/accounts/{account_id}/sync',
  specified: true,
  role: 'sender',
  summary: "Sync a social account's metrics from its network",
  description:
    '`full` measures all posts that the network lists as recent, `incremental` those since the last sync. Both import the posts of the last 90 days that were made elsewhere, at most 200, as PUBLISHED with the source IMPORTED.',
  countedInHandler: ['accountSync'],
  access: writes,
  body: z.object({
    syncType: optional(z.enum(syncTypes).meta({ example: 'full' })),
    includePosts: part('Sync posts'),
    includeFollowers: part('Sync the follower count'),
    includeEngagement: part('Sync engagement of the account and its posts'),
  }),
  response: z.object({
    syncResult: z.object({
      syncType: z.enum(syncTypes).meta({ example: 'full' }),
      postsSynced: count.meta({
        description:
          'Number of posts that were created or changed here. New metrics alone do not count',
      }),
      followersSynced: count.meta({ description: 'Follower count' }),
      engagementSynced: count.meta({ description: 'Interactions with those posts' }),
      syncDuration: z.number().meta({ example: 0.84, description: 'Seconds' }),
      lastSyncAt: timestamp(),
    }),
  }),
  message: 'Social account synced successfully',
  errors: [...networkRefusals, 'SOCIAL_ACCOUNT_NOT_FOUND'],
  timeoutSeconds: callsNetworkSeconds,
});

export const getSocialAccountStats = contract({
  operationId: 'getSocialAccountStats',
  path: '/social/accounts/{account_id}/stats',
  specified: true,
  summary: "Get a social account's statistics for a date range",
  description:
    'Based on daily snapshots. Ranges can be up to 90 days. Default: the last 30 days. Growth is in percent over the range. Metrics that the network does not provide are 0.',
  access: reads,
  query: z.object(dateRange(queryDate, queryDate)),
  response: z.object({
    stats: z.object({
      socialAccountId: accountId,
      platform,
      dateRange: z.object({ from: timestamp(), to: timestamp() }),
      overview: z.object({
        totalPosts: count,
        totalFollowers: count,
        totalEngagement: count,
        totalReach: count,
        totalClicks: count,
      }),
      engagement: z.object({
        averageEngagementRate: percentage,
        averageClickThroughRate: percentage,
        topEngagingPost: orNull(
          z.object({
            id: z.string().meta({ example: '1789_1', description: 'Post id on the network' }),
            engagement: count,
            reach: count,
          }),
        ),
      }),
      growth: z.object({
        followerGrowth: percentage,
        engagementGrowth: percentage,
        reachGrowth: percentage,
      }),
      trends: z.array(
        z.object({
          date: z.iso.date().meta({ example: '2026-01-15' }),
          followers: count,
          engagement: count,
          reach: count,
        }),
      ),
    }),
  }),
  message: 'Social account stats retrieved successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});

const yes = z.boolean().meta({ example: true });
const characters = z.int().meta({
  example: 2_200,
  description:
    'Counted as the network counts: weighted on X, message bytes on Instagram, description bytes on YouTube, UTF-16 units elsewhere',
});
const hours = orNull(z.int().meta({ example: 24, description: 'Hours' }));

export const listCapabilities = contract({
  operationId: 'listCapabilities',
  path: '/social/capabilities',
  summary: 'List capabilities and limits of each network',
  access: signedIn,
  response: z.object({
    capabilities: z.array(
      z.object({
        platform,
        supports: z.object({
          textOnlyPost: yes,
          mixedMedia: yes.meta({
            description: 'Whether a post can combine a video with other media',
          }),
          editPublished: yes,
          deletePost: yes,
          directMessage: yes,
          commentReply: yes,
          postReply: yes.meta({
            description: 'Replies to posts of other users that mention the account',
          }),
          privateReply: yes,
          commentEvents: yes,
          messageEvents: yes,
          tokenRefresh: yes,
          webhookSubscription: yes,
          firstComment: yes.meta({ description: 'Comments of the account on its own posts' }),
          thread: yes,
          hideComment: yes,
          deleteComment: yes.meta({
            description: "Deletion of customers' comments",
          }),
          likeComment: yes,
          messageButtons: yes.meta({ description: 'Buttons in private answers to comments' }),
        }),
        maxPostLength: characters,
        maxCommentLength: characters,
        maxMessageLength: orNull(characters),
        maxHashtags: orNull(z.int().meta({ example: 30, description: 'Per post' })),
        maxMentions: orNull(z.int().meta({ example: 20, description: 'Per post' })),
        maxMedia: z.int().meta({ example: 10 }),
        media: z.array(z.enum(['image', 'video']).meta({ example: 'image' })),
        replyWindowHours: hours,
        privateReplyWindowHours: hours,
        pollsComments: z.boolean().meta({ example: false }),
        needsBusinessToken: z.boolean().meta({
          example: false,
          description: 'Whether messages and comments need `businessToken`',
        }),
      }),
    ),
    total,
  }),
  message: 'Capabilities retrieved successfully',
});
