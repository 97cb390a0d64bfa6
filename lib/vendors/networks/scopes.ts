import type { Platform } from '#schemas/platforms.ts';

const google = 'https://www.googleapis.com/auth';

/**
 * The scopes that connecting an account requests. After adding one, add it to the app at the
 * network and to docs/operations.md, and connect the accounts again.
 */
export const requestedScopes = {
  /**
   * Posts, comments, messages, lead ads and reports of pages, including pages that a business owns.
   */
  FACEBOOK: [
    'pages_show_list',
    'pages_manage_posts',
    'pages_read_engagement',
    'pages_read_user_content',
    'pages_manage_engagement',
    'pages_manage_metadata',
    'pages_messaging',
    'read_insights',
    'business_management',
    'leads_retrieval',
  ],
  /** The account, posts, comments, reports and messages. */
  INSTAGRAM: [
    'instagram_business_basic',
    'instagram_business_content_publish',
    'instagram_business_manage_comments',
    'instagram_business_manage_insights',
    'instagram_business_manage_messages',
  ],
  /** The account with its metrics, publishing, and the list of videos. */
  TIKTOK: [
    'user.info.basic',
    'user.info.profile',
    'user.info.stats',
    'video.publish',
    'video.list',
  ],
  /** `offline.access` is the permission to refresh tokens. */
  TWITTER: [
    'tweet.read',
    'tweet.write',
    'tweet.moderate.write',
    'users.read',
    'dm.read',
    'dm.write',
    'media.write',
    'offline.access',
  ],
  /** Publishing, reading posts and comments, and the roles and statistics of organizations. */
  LINKEDIN: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
  /** Uploads, reading, comments and reports. */
  YOUTUBE: [
    `${google}/youtube.upload`,
    `${google}/youtube.readonly`,
    `${google}/youtube.force-ssl`,
    `${google}/yt-analytics.readonly`,
  ],
} as const satisfies Record<Platform, readonly string[]>;

/** Any one of a network's permissions is enough to publish. */
const publishingScopes: Readonly<Record<Platform, readonly string[]>> = {
  FACEBOOK: ['pages_manage_posts'],
  INSTAGRAM: ['instagram_business_content_publish', 'instagram_content_publish'],
  TIKTOK: ['video.publish'],
  TWITTER: ['tweet.write'],
  LINKEDIN: ['w_organization_social', 'w_member_social'],
  YOUTUBE: [
    'youtube.upload',
    `${google}/youtube.upload`,
    `${google}/youtube`,
    `${google}/youtube.force-ssl`,
  ],
};

/**
 * Scopes for comments on own posts. Absent: a permission to publish is enough, or there are none.
 */
const commentScopes: Readonly<Partial<Record<Platform, readonly string[]>>> = {
  FACEBOOK: ['pages_manage_engagement'],
  INSTAGRAM: ['instagram_business_manage_comments', 'instagram_manage_comments'],
  YOUTUBE: [`${google}/youtube.force-ssl`],
};

/**
 * Returns the requested scopes that were not granted. Assumes that all were granted if no
 * permissions are known.
 */
export function missingScopes(platform: Platform, granted: readonly string[]): readonly string[] {
  return granted.length === 0
    ? []
    : requestedScopes[platform].filter(
        (scope) => !namesFor(scope).some((name) => granted.includes(name)),
      );
}

/** Returns a permission, and other permissions that include it. */
function namesFor(scope: string): readonly string[] {
  if (scope.startsWith('instagram_business_')) {
    // The names in tokens from Facebook Login.
    return [scope, scope.replace('_business', '')];
  }
  if (scope.startsWith(`${google}/youtube.`)) {
    return [scope, scope.slice(google.length + 1), `${google}/youtube`];
  }

  return scope === 'w_organization_social' ? [scope, 'w_member_social'] : [scope];
}

/**
 * Returns the permission to publish if it is missing. Assumes that it was granted if no permissions
 * are known.
 */
export function missingPublishingScopes(
  platform: Platform,
  granted: readonly string[],
): readonly string[] {
  return missingOf(publishingScopes[platform], granted);
}

/** The same for the first comment of a post. */
export function missingCommentScopes(
  platform: Platform,
  granted: readonly string[],
): readonly string[] {
  return missingOf(commentScopes[platform] ?? [], granted);
}

function missingOf(wanted: readonly string[], granted: readonly string[]): readonly string[] {
  const isGranted = granted.length === 0 || granted.some((scope) => wanted.includes(scope));

  return isGranted ? [] : wanted.slice(0, 1);
}
