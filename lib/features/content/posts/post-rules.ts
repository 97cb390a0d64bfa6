import { type Media, mediumFor } from '#lib/features/media/media.ts';
import { socialAccountNotFound } from '#lib/features/social/accounts/accounts.ts';
import { now } from '#lib/platform/clock.ts';
import { type ApiError, platformTokenInvalid } from '#lib/platform/errors/failures.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { mediaTypeProblem } from '#lib/vendors/networks/media-rules.ts';
import {
  type MediaKind,
  mediaKindAt,
  typeOfContentType,
} from '#lib/vendors/networks/media-type.ts';
import { textProblem } from '#lib/vendors/networks/text-problem.ts';
import { maxMedia } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { FirstComment } from './post.ts';
import type { Cover } from './post-media.ts';
import { readSettings } from './post-settings.ts';
import { settingsRuleProblems } from './settings-rules.ts';
import { taggedText } from './tagged-text.ts';

/** The values of a post that its checks need, either stored or from a request. */
export type Draft = {
  readonly platform: Platform;
  readonly content: string;
  readonly mediaUrls: readonly string[];
  readonly mediaIds?: readonly string[] | null | undefined;
  /** Of the library. */
  readonly media?: readonly Media[];
  /** As given, or as stored. */
  readonly settings?: Readonly<Record<string, unknown>> | null | undefined;
  /** The library image whose id `settings` contains. */
  readonly cover?: Cover | undefined;
  readonly firstComment?: FirstComment | string | null | undefined;
  readonly thread?: readonly DraftPart[] | null | undefined;
  /** Library media of each part of the thread. */
  readonly threadMedia?: ReadonlyArray<readonly Media[]>;
  readonly utmSource?: string | null | undefined;
  readonly utmMedium?: string | null | undefined;
  readonly utmCampaign?: string | null | undefined;
};
type DraftPart = {
  readonly content: string;
  readonly mediaIds?: readonly string[] | null | undefined;
};

/**
 * Returns the reasons why the network would reject these texts. Each problem starts with the field
 * name.
 */
export function textProblems(draft: Draft): readonly string[] {
  const { platform, content, thread } = draft;
  const problemsOf = (field: string, place: 'post' | 'COMMENT', text: string) => {
    const problem = textProblem(platform, place, taggedText(text, draft));

    return problem === undefined ? [] : [`${field} ${problem}`];
  };

  return [
    ...problemsOf('content', 'post', content),
    ...(thread ?? []).flatMap((part, index) =>
      problemsOf(`thread.${index}.content`, 'post', part.content),
    ),
    ...problemsOf('firstComment', 'COMMENT', commentTextOf(draft) ?? ''),
  ];
}

function commentTextOf({ firstComment }: Draft): string | undefined {
  return typeof firstComment === 'string' ? firstComment : firstComment?.text;
}

/**
 * Returns a problem for each part of a post that the network does not support. Also applies to
 * drafts. Each problem starts with the field name.
 */
export function supportProblems(draft: Draft): readonly string[] {
  const { platform, mediaIds, thread } = draft;
  const { supports } = capabilities[platform];
  const named = [...(mediaIds ?? []), ...(thread ?? []).flatMap((part) => part.mediaIds ?? [])];

  return [
    ...(commentTextOf(draft) === undefined || supports.firstComment
      ? []
      : [`firstComment must be empty: ${platform} does not support firstComment`]),
    ...(!thread || thread.length === 0 || supports.thread
      ? []
      : [`thread must be empty: ${platform} does not support thread`]),
    ...(new Set(named).size > maxMedia
      ? [`thread must name no more than ${maxMedia} media together with the post`]
      : []),
  ];
}

/**
 * Returns the reasons why the network would reject these media. Each problem starts with the field
 * name.
 */
export async function mediaProblems(draft: Draft): Promise<readonly string[]> {
  const { platform, mediaUrls, media: stored = [] } = draft;
  const { supports, maxMedia: limit, media: accepted } = capabilities[platform];
  const number = mediaUrls.length + stored.length;
  const field = stored.length > 0 ? 'mediaIds' : 'mediaUrls';
  if (number === 0) {
    return supports.textOnlyPost
      ? []
      : [
          `mediaUrls must not be empty: ${platform} does not support textOnlyPost and accepts ${accepted.join(' or ')}`,
        ];
  }
  if (number > limit) {
    return [`${field} must contain no more than ${limit} elements on ${platform}`];
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

/** Library media follow the media of `mediaUrls`. */
function mediumField({ mediaUrls }: Draft, index: number): string {
  const isStored = index >= mediaUrls.length;

  return isStored ? `mediaIds.${index - mediaUrls.length}` : `mediaUrls.${index}`;
}

/** Returns the reasons why the network would reject the types of library media. */
export function storedMediaProblems({ platform, media = [] }: Draft): readonly string[] {
  const types = media
    .map((medium) => mediumFor(platform, medium))
    .map(({ contentType = '' }) => typeOfContentType(contentType));
  const problem = mediaTypeProblem(platform, types, 'mediaIds');

  return problem === undefined ? [] : [problem];
}

/** Returns the reasons why the network would reject the media of the parts of a thread. */
export async function threadMediaProblems(draft: Draft): Promise<readonly string[]> {
  const { platform, threadMedia = [] } = draft;
  const problems = await Promise.all(
    threadMedia.map(async (media, index) => {
      const part = { platform, content: '', mediaUrls: [], media };
      const ofPart = [...(await mediaProblems(part)), ...storedMediaProblems(part)];

      return ofPart.map((problem) => `thread.${index}.${problem}`);
    }),
  );

  return problems.flat();
}

/**
 * Returns the reasons why the network would reject these settings. Each problem starts with the
 * field name.
 */
export async function settingsProblems(draft: Draft): Promise<readonly string[]> {
  const { settings, problems } = readSettings(draft.platform, draft.settings);
  if (!settings) {
    return problems;
  }
  const { mediaUrls, media = [] } = draft;
  const kinds = [...(await Promise.all(mediaUrls.map(mediaKindAt))), ...media.map(kindOf)];

  const hasComment = commentTextOf(draft) !== undefined;

  return [
    ...settingsRuleProblems({ ...draft, settings, kinds }),
    ...(settings.postType === 'STORY' && hasComment
      ? ['firstComment must be empty: stories have no comments']
      : []),
  ];
}

/** Returns everything that the network is known to reject, without calling it. Reads the media. */
export async function publicationProblems(draft: Draft): Promise<readonly string[]> {
  return [
    ...supportProblems(draft),
    ...textProblems(draft),
    ...(await mediaProblems(draft)),
    ...storedMediaProblems(draft),
    ...(await threadMediaProblems(draft)),
    ...(await settingsProblems(draft)),
  ];
}

/** Returns a 404 if the account is gone, a 401 if it is inactive. */
export function accountRejected(account: object | undefined): ApiError {
  return account ? platformTokenInvalid() : socialAccountNotFound();
}

/** Returns the reason why the post cannot be scheduled for this time. */
export function scheduleProblems(scheduledAt: string | null | undefined): readonly string[] {
  return !scheduledAt || Date.parse(scheduledAt) > now()
    ? []
    : ['scheduledAt must be in the future'];
}
