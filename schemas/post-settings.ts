import { optional, publicText } from './common.ts';
import { mediaId } from './media.ts';
import type { Platform } from './platforms.ts';
import * as z from './zod.ts';

const flag = optional(z.boolean());
const postType = optional(z.enum(['FEED', 'REEL', 'STORY']));
export type PostType = 'FEED' | 'REEL' | 'STORY';

/** YouTube rejects titles and tags with angle brackets. */
const videoText = publicText({ max: 100, example: 'New engines' }).refine(
  (value) => !/[<>]/.test(value),
  { error: 'must not contain < or >' },
);
const maxVideoTags = 100;

/** A text of this form, with a message of its own. */
function formed(form: RegExp, error: string) {
  return z.string().refine((value) => form.test(value), { error });
}

/** The audiences of TikTok, from the widest to the narrowest. */
export const tiktokAudiences = [
  'PUBLIC_TO_EVERYONE',
  'FOLLOWER_OF_CREATOR',
  'MUTUAL_FOLLOW_FRIENDS',
  'SELF_ONLY',
] as const;

/** The settings of a post, by the platform of its account. Unknown fields are rejected. */
export const postSettings = {
  YOUTUBE: z.strictObject({
    title: optional(videoText),
    privacyStatus: optional(z.enum(['public', 'unlisted', 'private'])),
    madeForKids: flag,
    categoryId: optional(formed(/^\d{1,3}$/, 'must be the number of a video category')),
    tags: optional(z.array(videoText).max(maxVideoTags)),
    notifySubscribers: flag,
    thumbnailMediaId: optional(mediaId),
  }),
  TIKTOK: z.strictObject({
    privacyLevel: optional(z.enum(tiktokAudiences)),
    allowComments: flag,
    allowDuet: flag,
    allowStitch: flag,
    brandContent: flag,
    brandOrganic: flag,
    isAiGenerated: flag,
    coverSecond: optional(
      z
        .number()
        .min(0)
        .max(3_600)
        .transform((value) => Math.round(value * 1_000) / 1_000),
    ),
  }),
  INSTAGRAM: z.strictObject({
    postType,
    collaborators: optional(
      z.array(formed(/^[a-z\d._]{1,30}$/i, 'must be a user name of INSTAGRAM, without @')).max(3),
    ),
    shareToFeed: flag,
    coverMediaId: optional(mediaId),
  }),
  FACEBOOK: z.strictObject({ postType }),
  LINKEDIN: z.strictObject({
    visibility: optional(z.enum(['PUBLIC', 'CONNECTIONS'])),
    title: optional(publicText({ max: 400, example: 'New engines' })),
  }),
  TWITTER: z.strictObject({
    replySettings: optional(z.enum(['everyone', 'following', 'mentionedUsers'])),
    quotePostId: optional(formed(/^\d{1,19}$/, 'must be the id of a post on X')),
  }),
} as const satisfies Record<Platform, z.ZodType>;

type AllSettings = {
  readonly [Name in Platform]: z.output<(typeof postSettings)[Name]>;
};
type AsReadonly<Value> = Value extends ReadonlyArray<infer Element> ? readonly Element[] : Value;
type Given<Settings> = {
  readonly [Field in keyof Settings]: AsReadonly<NonNullable<Settings[Field]>>;
};

/** The settings of any platform. Which fields it has follows from the post's platform. */
export type PostSettings = Partial<
  Given<AllSettings['YOUTUBE']> &
    Given<AllSettings['TIKTOK']> &
    Given<AllSettings['INSTAGRAM']> &
    Given<AllSettings['FACEBOOK']> &
    Given<AllSettings['LINKEDIN']> &
    Given<AllSettings['TWITTER']>
>;

const anySettings = z.record(z.string(), z.unknown());

/** In requests. The platform of the account decides which fields are allowed. */
export const settingsField = anySettings.meta({
  example: { postType: 'FEED' },
  description: [
    "By the account's platform; other fields return 400.",
    'YOUTUBE: title, privacyStatus (public, unlisted, private), madeForKids, categoryId, tags, notifySubscribers, thumbnailMediaId.',
    'TIKTOK: privacyLevel, allowComments, allowDuet, allowStitch, brandContent, brandOrganic, isAiGenerated, coverSecond.',
    'INSTAGRAM: postType (FEED, REEL, STORY), collaborators, shareToFeed, coverMediaId.',
    'FACEBOOK: postType.',
    'LINKEDIN: visibility (PUBLIC, CONNECTIONS), title.',
    'TWITTER: replySettings (everyone, following, mentionedUsers), quotePostId.',
    'A story does not show the text',
  ].join(' '),
});

/** In responses. */
export const shownSettings = anySettings.meta({ example: { postType: 'FEED' } });
