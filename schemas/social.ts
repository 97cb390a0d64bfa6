import {
  email,
  emptyBody,
  id,
  name,
  optional,
  orNull,
  queryBoolean,
  queryDate,
  says,
  text,
  timestamp,
} from './common.ts';
import { contract, memberOfCurrent, signedIn } from './contract.ts';
import { networkRefusals, platform } from './platforms.ts';
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
/** As the network says, or whoever connected the account. */
const shown = {
  platformUserId: z.string().meta({ example: '17841400000000001' }),
  permissions: z.array(z.string()).meta({ example: ['pages_manage_posts', 'pages_messaging'] }),
};
const count = z.number().meta({ example: 120 });
const percentage = z.number().meta({ example: 4.2, description: 'Percent' });

const figures = z.object({
  totalPosts: count,
  totalFollowers: count,
  totalEngagement: count,
  lastPostDate: orNull(timestamp()),
});

const account = z.object({
  id: accountId,
  organizationId,
  platform,
  platformUserId: shown.platformUserId,
  platformUserName: z.string().meta({ example: 'Engines on Facebook' }),
  platformUserEmail: orNull(z.string().meta({ example: 'ada@example.com' })),
  permissions: shown.permissions,
  isActive: z.boolean().meta({ example: true }),
  inactiveReason: orNull(
    z.string().meta({
      example: null,
      description: 'Why the network does not take the token any more',
    }),
  ),
  subscribedAt: orNull(timestamp()).meta({
    description: 'When the network was last heard to send the events of the account',
  }),
  subscriptionFailure: orNull(
    z.string().meta({ example: null, description: 'Why the network may not be sending them' }),
  ),
  tokenExpiresAt: orNull(timestamp()),
  lastSyncAt: orNull(timestamp()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

const listedAccount = account.extend({ stats: orNull(figures) });

const accountInPath = z.object({ account_id: accountId });

const reads = memberOfCurrent('VIEWER');
const writes = memberOfCurrent('MEMBER');
const administers = memberOfCurrent('ADMIN');

/** Checking a token and subscribing take several calls of a network that may be slow. */
const callsNetworkSeconds = 29;

export const connectSocialAccount = contract({
  operationId: 'connectSocialAccount',
  area: 'social',
  method: 'POST',
  path: '/social/connect',
  summary: 'Connect an account of a social network',
  description:
    'The token is checked with the network, and must belong to `platformUserId`. An account is connected once in the whole service. One of the same organization whose token has died is renewed, and keeps its id.',
  access: administers,
  body: z.object({
    platform,
    accessToken: tokenText,
    refreshToken: optional(tokenText),
    expiresIn: optional(
      z
        .int()
        .min(1)
        .max(315_360_000)
        .meta({ example: 5_184_000, description: 'Seconds from now until the token ends' }),
    ),
    platformUserId,
    platformUserName,
    platformUserEmail: optional(email),
    permissions: optional(permissions),
  }),
  status: 201,
  response: z.object({
    socialAccount: account,
    message: says('Social account connected successfully'),
  }),
  errors: [...networkRefusals, 'conflict'],
  timeoutSeconds: callsNetworkSeconds,
});

export const listSocialAccounts = contract({
  operationId: 'listSocialAccounts',
  area: 'social',
  method: 'GET',
  path: '/social/accounts',
  summary: 'List the connected accounts, newest first',
  access: reads,
  query: z.object({
    platform: platform.optional(),
    isActive: queryBoolean.optional(),
    includeStats: queryBoolean.optional(),
  }),
  response: z.object({
    socialAccounts: z.array(listedAccount),
    total: z.int().meta({ example: 1 }),
    message: says('Social accounts retrieved successfully'),
  }),
});

export const updateSocialAccount = contract({
  operationId: 'updateSocialAccount',
  area: 'social',
  method: 'PATCH',
  path: '/social/accounts/{account_id}',
  summary: 'Change how an account is called, and which permissions are noted of it',
  access: writes,
  params: accountInPath,
  body: z.object({
    platformUserName: platformUserName.optional(),
    permissions: optional(permissions),
  }),
  response: z.object({
    socialAccount: account,
    message: says('Social account updated successfully'),
  }),
  errors: ['notFound'],
});

export const disconnectSocialAccount = contract({
  operationId: 'disconnectSocialAccount',
  area: 'social',
  method: 'DELETE',
  path: '/social/accounts/{account_id}',
  summary: 'Disconnect an account and remove it',
  description:
    'The service is unsubscribed at the network, and what was scheduled for the account is canceled.',
  access: administers,
  params: accountInPath,
  response: z.object({ message: says('Social account disconnected successfully') }),
  errors: ['notFound'],
});

export const refreshSocialAccountToken = contract({
  operationId: 'refreshSocialAccountToken',
  area: 'social',
  method: 'POST',
  path: '/social/accounts/{account_id}/refresh-token',
  summary: "Exchange an account's token for a new one",
  description:
    'Calls that come at the same moment share one exchange. With `refreshToken`, that one is used in place of the stored one.',
  access: administers,
  params: accountInPath,
  body: z.object({ refreshToken: optional(tokenText) }),
  response: z.object({
    tokenInfo: z.object({
      accessToken: z.string().meta({ example: 'EAAG9ZCx0BAF' }),
      refreshToken: orNull(z.string().meta({ example: 'EAAG9ZCx0BAG' })),
      expiresIn: orNull(z.int().meta({ example: 5_184_000, description: 'Seconds' })),
      tokenType: z.string().meta({ example: 'Bearer' }),
      refreshedAt: timestamp(),
    }),
    message: says('Token refreshed successfully'),
  }),
  errors: [...networkRefusals, 'notFound'],
  timeoutSeconds: callsNetworkSeconds,
});

export const validateSocialAccountToken = contract({
  operationId: 'validateSocialAccountToken',
  area: 'social',
  method: 'POST',
  path: '/social/accounts/{account_id}/validate-token',
  summary: "Ask the network whether it takes an account's token",
  access: writes,
  params: accountInPath,
  body: emptyBody,
  response: z.object({
    validation: z.object({
      isValid: z.boolean().meta({ example: true }),
      expiresAt: orNull(timestamp()),
      permissions: shown.permissions,
      platformUserId: shown.platformUserId,
      validatedAt: timestamp(),
    }),
    message: says('Token validated successfully'),
  }),
  errors: [...networkRefusals, 'notFound'],
  timeoutSeconds: callsNetworkSeconds,
});

export const listSocialAccountPages = contract({
  operationId: 'listSocialAccountPages',
  area: 'social',
  method: 'GET',
  path: '/social/accounts/{account_id}/pages',
  summary: "List the pages, channels and organizations that an account's token can act for",
  access: reads,
  params: accountInPath,
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
    total: z.int().meta({ example: 1 }),
    message: says('Platform pages retrieved successfully'),
  }),
  errors: [...networkRefusals, 'notFound'],
  timeoutSeconds: callsNetworkSeconds,
});

const syncTypes = ['full', 'incremental'] as const;

const part = (what: string) =>
  optional(z.boolean().meta({ example: true, description: `${what}; true by default` }));

export const syncSocialAccount = contract({
  operationId: 'syncSocialAccount',
  area: 'social',
  method: 'POST',
  path: '/social/accounts/{account_id}/sync',
  summary: "Fetch an account's figures from the network now",
  description:
    '`incremental` looks at the posts since the last sync, `full` at all that the network lists as recent.',
  access: writes,
  params: accountInPath,
  body: z.object({
    syncType: optional(z.enum(syncTypes).meta({ example: 'full' })),
    includePosts: part('Look at the posts'),
    includeFollowers: part('Fetch the number of followers'),
    includeEngagement: part("Fetch the account's and the posts' engagement"),
  }),
  response: z.object({
    syncResult: z.object({
      syncType: z.enum(syncTypes).meta({ example: 'full' }),
      postsSynced: count.meta({ description: 'Posts that were looked at' }),
      followersSynced: count.meta({ description: 'Followers that were counted' }),
      engagementSynced: count.meta({ description: 'Interactions counted at those posts' }),
      syncDuration: z.number().meta({ example: 0.84, description: 'Seconds' }),
      lastSyncAt: timestamp(),
    }),
    message: says('Social account synced successfully'),
  }),
  errors: [...networkRefusals, 'notFound'],
  timeoutSeconds: callsNetworkSeconds,
});

export const getSocialAccountStats = contract({
  operationId: 'getSocialAccountStats',
  area: 'social',
  method: 'GET',
  path: '/social/accounts/{account_id}/stats',
  summary: "Read an account's figures over a range of days",
  description:
    'From daily snapshots, at most 90 days, the last 30 by default. Growth is in percent over the range. A figure that the network does not tell is 0.',
  access: reads,
  params: accountInPath,
  query: z.object({ dateFrom: queryDate.optional(), dateTo: queryDate.optional() }),
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
            id: z.string().meta({ example: '1789_1', description: "The network's id" }),
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
    message: says('Social account stats retrieved successfully'),
  }),
  errors: ['notFound'],
});

const yes = z.boolean().meta({ example: true });
const characters = z.int().meta({
  example: 2_200,
  description:
    'As the network counts: X by weight, Instagram the bytes of a message, YouTube the bytes of a description, the others UTF-16 units',
});
const hours = orNull(z.int().meta({ example: 24, description: 'Hours' }));

export const listCapabilities = contract({
  operationId: 'listCapabilities',
  area: 'social',
  method: 'GET',
  path: '/social/capabilities',
  summary: 'List what can be done on each network, and within which limits',
  access: signedIn,
  extension: true,
  response: z.object({
    capabilities: z.array(
      z.object({
        platform,
        supports: z.object({
          textOnlyPost: yes,
          mixedMedia: yes.meta({ description: 'A video may stand beside other media' }),
          editPublished: yes,
          deletePost: yes,
          directMessage: yes,
          commentReply: yes,
          postReply: yes.meta({ description: 'A post of others that names the account' }),
          privateReply: yes,
          commentEvents: yes,
          messageEvents: yes,
          tokenRefresh: yes,
          webhookSubscription: yes,
        }),
        maxPostLength: characters,
        maxCommentLength: characters,
        maxMessageLength: orNull(characters),
        maxMedia: z.int().meta({ example: 10 }),
        media: z.array(z.enum(['image', 'video']).meta({ example: 'image' })),
        replyWindowHours: hours,
        privateReplyWindowHours: hours,
        pollsComments: z.boolean().meta({ example: false }),
      }),
    ),
    message: says('Capabilities retrieved successfully'),
  }),
});

export const socialContracts = [
  connectSocialAccount,
  listSocialAccounts,
  updateSocialAccount,
  disconnectSocialAccount,
  refreshSocialAccountToken,
  validateSocialAccountToken,
  listSocialAccountPages,
  syncSocialAccount,
  getSocialAccountStats,
  listCapabilities,
] as const;
