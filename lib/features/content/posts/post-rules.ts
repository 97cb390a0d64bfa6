import type { Media } from '#lib/features/media/media.ts';
import { socialAccountNotFound } from '#lib/features/social/accounts/accounts.ts';
import { now } from '#lib/platform/clock.ts';
import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { platformTokenInvalid } from '#lib/platform/errors/failures.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { type MediaKind, mediaKindAt } from '#lib/vendors/networks/media-kind.ts';
import { mediaTypeProblem } from '#lib/vendors/networks/media-rules.ts';
import { typeOfContentType } from '#lib/vendors/networks/media-type.ts';
import { postLength } from '#lib/vendors/networks/text-length.ts';
import type { Platform } from '#schemas/platforms.ts';
import { taggedText } from './tagged-text.ts';

type Draft = {
  readonly platform: Platform;
  readonly content: string;
  readonly mediaUrls: readonly string[];
  /** Of the library. */
  readonly media?: readonly Media[];
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
export async function mediaProblems(draft: Draft): Promise<readonly string[]> {
  const { platform, mediaUrls, media: stored = [] } = draft;
  const { supports, maxMedia, media: accepted } = capabilities[platform];
  const number = mediaUrls.length + stored.length;
  const field = stored.length > 0 ? 'mediaIds' : 'mediaUrls';
  if (number === 0) {
    return supports.textOnlyPost
      ? []
      : [
          `mediaUrls must not be empty: ${platform} does not support textOnlyPost and accepts ${accepted.join(' or ')}`,
        ];
  }
  if (number > maxMedia) {
    return [`${field} must contain no more than ${maxMedia} elements on ${platform}`];
  }
  const kinds = [...(await Promise.all(mediaUrls.map(mediaKindAt))), ...stored.map(kindOf)];
  const wrongKind = kinds.flatMap((kind, index) =>
    kind === undefined || accepted.includes(kind)
      ? []
      : [
          `${mediumField(draft, index)} must be of one of these kinds on ${platform}: ${accepted.join(', ')}`,
        ],
  );
  const isMixed = kinds.length > 1 && kinds.includes('video');

  return [
    ...(isMixed && !supports.mixedMedia
      ? [`${field} must be one video or only images: ${platform} does not support mixedMedia`]
      : []),
    ...wrongKind,
  ];
}

function kindOf({ kind }: Media): MediaKind {
  return kind === 'VIDEO' ? 'video' : 'image';
}

/** Media of the library follow those of `mediaUrls`. */
function mediumField({ mediaUrls }: Draft, index: number): string {
  const isStored = index >= mediaUrls.length;

  return isStored ? `mediaIds.${index - mediaUrls.length}` : `mediaUrls.${index}`;
}

/** Returns why the network would reject the types of media of the library. */
export function storedMediaProblems({ platform, media = [] }: Draft): readonly string[] {
  const types = media.map(({ contentType = '' }) => typeOfContentType(contentType));
  const problem = mediaTypeProblem(platform, types, 'mediaIds');

  return problem === undefined ? [] : [problem];
}

/** Returns everything the network is known to reject, without calling it. Reads the media. */
export async function publicationProblems(draft: Draft): Promise<readonly string[]> {
  return [...textProblems(draft), ...(await mediaProblems(draft)), ...storedMediaProblems(draft)];
}

/** Returns 404 if the account is gone, 401 if it is inactive. */
export function accountRejected(account: object | undefined): ApiError {
  return account ? platformTokenInvalid() : socialAccountNotFound();
}

/** Returns why the post cannot be scheduled for this time. */
export function scheduleProblems(scheduledAt: string): readonly string[] {
  return Date.parse(scheduledAt) > now() ? [] : ['scheduledAt must be in the future'];
}
