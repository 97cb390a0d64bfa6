import type { Platform } from '#schemas/platforms.ts';

/** Any one of a network's permissions is enough to publish. */
const publishingScopes: Readonly<Record<Platform, readonly string[]>> = {
  FACEBOOK: ['pages_manage_posts'],
  INSTAGRAM: ['instagram_business_content_publish', 'instagram_content_publish'],
  TIKTOK: ['video.publish'],
  TWITTER: ['tweet.write'],
  LINKEDIN: ['w_organization_social', 'w_member_social'],
  YOUTUBE: [
    'youtube.upload',
    'https://www.googleapis.com/auth/youtube.upload',
    'https://www.googleapis.com/auth/youtube',
    'https://www.googleapis.com/auth/youtube.force-ssl',
  ],
};

/** For comments on own posts. Absent: a permission to publish is enough, or there are none. */
const commentScopes: Readonly<Partial<Record<Platform, readonly string[]>>> = {
  FACEBOOK: ['pages_manage_engagement'],
  INSTAGRAM: ['instagram_business_manage_comments', 'instagram_manage_comments'],
  YOUTUBE: ['https://www.googleapis.com/auth/youtube.force-ssl'],
};

/** Permissions to hide comments that accounts may lack because the app did not always request them. */
const moderationScopes: Readonly<Partial<Record<Platform, string>>> = {
  TWITTER: 'tweet.moderate.write',
};

/** To read lead ads. Accounts may lack it because the app did not always request it. */
const leadScopes: Readonly<Partial<Record<Platform, readonly string[]>>> = {
  FACEBOOK: ['leads_retrieval'],
};

/** Returns the permission to read lead ads if it is missing. */
export function missingLeadScopes(
  platform: Platform,
  granted: readonly string[],
): readonly string[] {
  const wanted = leadScopes[platform];

  return wanted ? missingOf(wanted, granted) : [];
}

/** Returns the permission to hide comments if it is missing. */
export function missingModerationScopes(
  platform: Platform,
  granted: readonly string[],
): readonly string[] {
  const wanted = moderationScopes[platform];
  const isGranted = wanted === undefined || granted.length === 0 || granted.includes(wanted);

  return isGranted ? [] : [wanted];
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
