import { type Media, mediumFor } from '#lib/features/media/media.ts';
import type { MediaKind } from '#lib/vendors/networks/media-type.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { PostSettings } from '#schemas/post-settings.ts';
import type { Cover } from './post-media.ts';

export type SettledPost = {
  readonly platform: Platform;
  readonly settings: PostSettings;
  /** The kinds of all media, in order. `undefined` if a kind cannot be determined. */
  readonly kinds: ReadonlyArray<MediaKind | undefined>;
  readonly media?: readonly Media[] | undefined;
  readonly cover?: Cover | undefined;
};

type Rule = (post: SettledPost) => ReadonlyArray<string | false | undefined>;

/** YouTube's limit for all tags together. */
const maxTagsLength = 500;

const rules: Readonly<Record<Platform, Rule>> = {
  YOUTUBE: ({ settings: { tags = [] }, cover }) => [
    tagsLength(tags) > maxTagsLength &&
      `settings.tags must be shorter than or equal to ${maxTagsLength} characters in all on YOUTUBE, which counts them as ${tagsLength(tags)}`,
    ...coverProblems(cover, {
      types: ['image/jpeg', 'image/png'],
      named: 'a JPEG or PNG image on YOUTUBE',
      maxBytes: 2_000_000,
    }),
  ],
  TIKTOK: ({ settings, kinds }) => {
    const isPhotos = kinds.includes('image');
    const onlyOfVideos = (['allowDuet', 'allowStitch', 'isAiGenerated'] as const).map(
      (field) => isPhotos && settings[field] && `settings.${field} is available for videos only`,
    );

    return [
      ...onlyOfVideos,
      isPhotos &&
        settings.coverSecond !== undefined &&
        'settings.coverSecond is available for videos only',
      settings.brandContent &&
        settings.privacyLevel === 'SELF_ONLY' &&
        'settings.brandContent must not be true if privacyLevel is SELF_ONLY: TIKTOK does not allow private branded content',
    ];
  },
  INSTAGRAM: (post) => {
    const { settings, kinds, cover } = post;
    const { postType, collaborators = [], shareToFeed } = settings;
    const isVideo = kinds.length === 1 && kinds[0] !== 'image' && postType !== 'STORY';

    return [
      ...postTypeProblems(post),
      postType === 'STORY' &&
        collaborators.length > 0 &&
        'settings.collaborators is not available for stories',
      new Set(collaborators.map((name) => name.toLowerCase())).size < collaborators.length &&
        'settings.collaborators must not contain duplicates',
      shareToFeed !== undefined && !isVideo && 'settings.shareToFeed is available for reels only',
      settings.coverMediaId !== undefined &&
        !isVideo &&
        'settings.coverMediaId is available for reels only',
      ...coverProblems(cover && { ...cover, image: mediumFor('INSTAGRAM', cover.image) }, {
        types: ['image/jpeg'],
        named: 'a JPEG image on INSTAGRAM',
        maxBytes: 8_000_000,
      }),
    ];
  },
  FACEBOOK: postTypeProblems,
  LINKEDIN: ({ settings: { title }, kinds }) => [
    title !== undefined &&
      kinds.length !== 1 &&
      'settings.title is available for posts with one image or video only on LINKEDIN',
  ],
  TWITTER: ({ settings: { quotePostId }, kinds }) => [
    quotePostId !== undefined &&
      kinds.length > 0 &&
      'settings.quotePostId is not available for posts with media on TWITTER',
  ],
};

type ImageLimits = {
  readonly types: readonly string[];
  readonly named: string;
  readonly maxBytes: number;
};

function coverProblems(
  cover: Cover | undefined,
  { types, named, maxBytes }: ImageLimits,
): ReturnType<Rule> {
  if (!cover) {
    return [];
  }
  const { contentType = '', bytes = 0 } = cover.image;

  return [
    !types.includes(contentType) && `settings.${cover.field} must be ${named}`,
    bytes > maxBytes && `settings.${cover.field} must not be greater than ${maxBytes} bytes`,
  ];
}

type VideoLimits = { readonly minSeconds: number; readonly maxSeconds: number };

/** The limits from the networks' documentation. */
const videoLimits: Readonly<
  Partial<Record<Platform, Readonly<Partial<Record<string, VideoLimits>>>>>
> = {
  FACEBOOK: {
    REEL: { minSeconds: 3, maxSeconds: 90 },
    STORY: { minSeconds: 3, maxSeconds: 90 },
  },
  INSTAGRAM: {
    REEL: { minSeconds: 3, maxSeconds: 15 * 60 },
    STORY: { minSeconds: 3, maxSeconds: 60 },
  },
};

/** Facebook's reels and stories are upright videos: 9:16. */
const minFacebookSize = { width: 540, height: 960 };
const aspectTolerance = 0.01;

function postTypeProblems({
  platform,
  settings: { postType = 'FEED' },
  kinds,
  media = [],
}: SettledPost): ReturnType<Rule> {
  if (postType === 'FEED') {
    return [];
  }
  if (postType === 'STORY' && kinds.length !== 1) {
    return ['settings.postType STORY needs exactly one image or video'];
  }
  if (postType === 'REEL' && (kinds.length !== 1 || kinds[0] === 'image')) {
    return ['settings.postType REEL needs exactly one video'];
  }
  const [medium] = media;
  const limits = videoLimits[platform]?.[postType];

  return [
    medium?.kind === 'VIDEO' && limits && durationProblem(medium, postType, limits),
    platform === 'FACEBOOK' && medium?.kind === 'VIDEO' && sizeProblem(medium, postType),
  ];
}

function durationProblem(
  { durationSeconds }: Media,
  postType: string,
  { minSeconds, maxSeconds }: VideoLimits,
): string | false {
  return (
    typeof durationSeconds === 'number' &&
    (durationSeconds < minSeconds || durationSeconds > maxSeconds) &&
    `settings.postType ${postType} needs a video of ${minSeconds} to ${maxSeconds} seconds`
  );
}

function sizeProblem({ width, height }: Media, postType: string): string | false {
  if (typeof width !== 'number' || typeof height !== 'number') {
    return false;
  }
  const isUpright = Math.abs(width / height - 9 / 16) <= aspectTolerance;

  return (
    !(isUpright && width >= minFacebookSize.width && height >= minFacebookSize.height) &&
    `settings.postType ${postType} needs a video of 9:16 with at least ${minFacebookSize.width} x ${minFacebookSize.height} pixels on FACEBOOK`
  );
}

/** Tags are joined with commas, and tags with spaces are quoted. */
function tagsLength(tags: readonly string[]): number {
  return tags.map((tag) => (tag.includes(' ') ? `"${tag}"` : tag)).join(',').length;
}

/**
 * Returns a problem for each setting that the network would reject. Each problem starts with the
 * field name.
 */
export function settingsRuleProblems(post: SettledPost): readonly string[] {
  return rules[post.platform](post).filter((problem) => typeof problem === 'string');
}
