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

/** A text with this format and its own error message. */
function formed(form: RegExp, error: string, example: string) {
  return z
    .string()
    .refine((value) => form.test(value), { error })
    .meta({ example });
}

/** TikTok's privacy levels, from the widest to the narrowest. */
export const tiktokAudiences = [
  'PUBLIC_TO_EVERYONE',
  'FOLLOWER_OF_CREATOR',
  'MUTUAL_FOLLOW_FRIENDS',
  'SELF_ONLY',
] as const;

function settingsOf<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id });
}

/** The settings of a post, by the platform of its account. Unknown fields are rejected. */
export const postSettings = {
  YOUTUBE: settingsOf('YoutubePostSettings', {
    title: optional(videoText),
    privacyStatus: optional(z.enum(['public', 'unlisted', 'private'])),
    madeForKids: flag,
    categoryId: optional(formed(/^\d{1,3}$/, 'must be the number of a video category', '27')),
    tags: optional(z.array(videoText).max(maxVideoTags)),
    notifySubscribers: flag,
    thumbnailMediaId: optional(mediaId),
  }),
  TIKTOK: settingsOf('TiktokPostSettings', {
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
  INSTAGRAM: settingsOf('InstagramPostSettings', {
    postType,
    collaborators: optional(
      z
        .array(
          formed(
            /^[a-z\d._]{1,30}$/i,
            'must be a user name of INSTAGRAM, without @',
            'charles.babbage',
          ),
        )
        .max(3),
    ),
    shareToFeed: flag,
    coverMediaId: optional(mediaId),
  }),
  FACEBOOK: settingsOf('FacebookPostSettings', { postType }),
  LINKEDIN: settingsOf('LinkedinPostSettings', {
    visibility: optional(z.enum(['PUBLIC', 'CONNECTIONS'])),
    title: optional(publicText({ max: 400, example: 'New engines' })),
  }),
  TWITTER: settingsOf('TwitterPostSettings', {
    replySettings: optional(z.enum(['everyone', 'following', 'mentionedUsers'])),
    quotePostId: optional(
      formed(/^\d{1,19}$/, 'must be the id of a post on X', '1460323737035677698'),
    ),
  }),
} as const satisfies Record<Platform, z.ZodType>;

type AllSettings = {
  readonly [Name in Platform]: z.output<(typeof postSettings)[Name]>;
};
type AsReadonly<Value> = Value extends ReadonlyArray<infer Element> ? readonly Element[] : Value;
type Given<Settings> = {
  readonly [Field in keyof Settings]: AsReadonly<NonNullable<Settings[Field]>>;
};

/** The settings of any platform. The post's platform determines which fields exist. */
export type PostSettings = Partial<
  Given<AllSettings['YOUTUBE']> &
    Given<AllSettings['TIKTOK']> &
    Given<AllSettings['INSTAGRAM']> &
    Given<AllSettings['FACEBOOK']> &
    Given<AllSettings['LINKEDIN']> &
    Given<AllSettings['TWITTER']>
>;

/**
 * Settings in requests and responses. The account's platform determines which fields are allowed.
 */
export const settingsField = z.documentedAs(
  z.record(z.string(), z.unknown()).meta({
    id: 'PostSettings',
    example: { postType: 'FEED' },
    description:
      "The settings of the account's platform; other fields return 400. A story does not show the text",
  }),
  z.union(Object.values(postSettings)),
);
