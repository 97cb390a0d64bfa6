import { socialAccountNotFound } from '#lib/features/social/accounts/accounts.ts';
import { now } from '#lib/platform/clock.ts';
import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { platformTokenInvalid } from '#lib/platform/errors/failures.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { mediaKindAt } from '#lib/vendors/networks/media-kind.ts';
import { postLength } from '#lib/vendors/networks/text-length.ts';
import type { Platform } from '#schemas/platforms.ts';
import { taggedText } from './tagged-text.ts';

type Draft = {
  readonly platform: Platform;
  readonly content: string;
  readonly mediaUrls: readonly string[];
  readonly utmSource?: string | null | undefined;
  readonly utmMedium?: string | null | undefined;
  readonly utmCampaign?: string | null | undefined;
};

/** Returns why the network would reject this text. Each problem starts with the field name. */
export function textProblems({ platform, content, ...utm }: Draft): readonly string[] {
  const { maxPostLength } = capabilities[platform];
  const length = postLength(platform, taggedText(content, utm));

  return length > maxPostLength
    ? [
        `content must be shorter than or equal to ${maxPostLength} characters on ${platform}, which counts it as ${length}`,
      ]
    : [];
}

/** Returns why the network would reject these media. Each problem starts with the field name. */
export async function mediaProblems({ platform, mediaUrls }: Draft): Promise<readonly string[]> {
  const { supports, maxMedia, media } = capabilities[platform];
  if (mediaUrls.length === 0) {
    return supports.textOnlyPost
      ? []
      : [
          `mediaUrls must not be empty: ${platform} does not support textOnlyPost and accepts ${media.join(' or ')}`,
        ];
  }
  if (mediaUrls.length > maxMedia) {
    return [`mediaUrls must contain no more than ${maxMedia} elements on ${platform}`];
  }
  const kinds = await Promise.all(mediaUrls.map(mediaKindAt));
  const wrongKind = kinds.flatMap((kind, index) =>
    kind === undefined || media.includes(kind)
      ? []
      : [`mediaUrls.${index} must be of one of these kinds on ${platform}: ${media.join(', ')}`],
  );
  const isMixed = kinds.length > 1 && kinds.includes('video');

  return [
    ...(isMixed && !supports.mixedMedia
      ? [`mediaUrls must be one video or only images: ${platform} does not support mixedMedia`]
      : []),
    ...wrongKind,
  ];
}

/** Returns everything the network is known to reject, without calling it. Reads the media. */
export async function publicationProblems(draft: Draft): Promise<readonly string[]> {
  return [...textProblems(draft), ...(await mediaProblems(draft))];
}

/** Returns 404 if the account is gone, 401 if it is inactive. */
export function accountRejected(account: object | undefined): ApiError {
  return account ? platformTokenInvalid() : socialAccountNotFound();
}

/** Returns why the post cannot be scheduled for this time. */
export function scheduleProblems(scheduledAt: string): readonly string[] {
  return Date.parse(scheduledAt) > now() ? [] : ['scheduledAt must be in the future'];
}

/** Removes duplicate tags. */
export function distinctTags(tags: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(tags ?? [])];
}
