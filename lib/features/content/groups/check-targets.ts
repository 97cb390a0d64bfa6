import { setTimeout as wait } from 'node:timers/promises';
import { type NewPost, problemsOf } from '#lib/features/content/new-post.ts';
import {
  mediaIdsOfPost,
  pickMedia,
  unreadyMediaProblems,
  type WithMedia,
} from '#lib/features/content/posts/post-media.ts';
import { scheduleProblems } from '#lib/features/content/posts/post-rules.ts';
import { coverIdsOf } from '#lib/features/content/posts/post-settings.ts';
import { problemsAtNetwork } from '#lib/features/content/preflight/preflight.ts';
import type { Media } from '#lib/features/media/media.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import { mediaContentProblem } from '#lib/vendors/networks/media-rules.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import type { createContentGroup } from '#schemas/content-groups.ts';
import type { BodyOf } from '#schemas/contract.ts';

export type NewGroup = BodyOf<typeof createContentGroup>;
type Target = NewGroup['targets'][number];

/** The publication time of a target's post. Undefined if no slot is free. */
export type Slot = string | undefined;

/** A post to be created for a target. */
export type TargetPost = { readonly details: NewPost; readonly account: SocialAccount };

/**
 * The transaction that creates a group has one write for each post, slot and media file. A
 * transaction has at most 100 writes.
 */
const maxDistinctMedia = 50;
/** A network that does not respond in time must not delay the other targets. */
const maxNetworkCheckMs = 2 * secondMs;

/**
 * Returns the posts to create, one for each target.
 *
 * @throws 400 with all problems. Each contains the path of its target.
 */
export async function checkTargets(
  organizationId: string,
  group: NewGroup,
  slots?: readonly Slot[],
): Promise<readonly TargetPost[]> {
  const accounts = await getMany<SocialAccount>(
    group.targets.map(({ socialAccountId }) =>
      socialKeys.socialAccount(organizationId, socialAccountId),
    ),
  );
  const targets = accounts.map((account, index) =>
    account
      ? { account, details: detailsOf({ ...group, ...at(slots?.[index]) }, account, index) }
      : undefined,
  );
  const posts = targets.filter((target) => target !== undefined);
  const media = await readMedia(organizationId, posts);
  const ofTargets = await Promise.all(
    targets.map((target) =>
      target
        ? problemsOfTarget(target, media)
        : ['socialAccountId must be a connected social account'],
    ),
  );
  const problems = [
    ...problemsOfTime(group, slots),
    ...ofTargets.flatMap((found, index) => found.map((problem) => `targets.${index}.${problem}`)),
  ];
  rejectProblems(problems);

  return posts;
}

function at(slot: Slot): Partial<NewGroup> {
  return slot === undefined ? {} : { scheduledAt: slot };
}

function problemsOfTime({ scheduledAt }: NewGroup, slots: readonly Slot[] = []): readonly string[] {
  return [
    ...scheduleProblems(scheduledAt),
    ...slots.flatMap((slot, index) =>
      slot === undefined
        ? [`useNextSlot must not be set: targets.${index} has no free posting slot`]
        : [],
    ),
  ];
}

/**
 * Returns the problems of a composition, without those of its targets. Each starts with the field
 * name.
 */
export function groupProblems({
  content,
  mediaIds,
  targets = [],
  useNextSlot,
  scheduledAt,
  draft,
}: Partial<NewGroup>): readonly string[] {
  const hasCommonText = typeof content === 'string';
  const accountIds = targets.map(({ socialAccountId }) => socialAccountId);
  const media = new Set([
    ...(mediaIds ?? []),
    ...targets.flatMap((target) => mediaIdsOfPost(target)),
  ]);

  return [
    ...(hasCommonText || targets.every((target) => typeof target.content === 'string')
      ? []
      : ['content must be given, unless every target has a text of its own']),
    ...accountIds.flatMap((id, index) =>
      accountIds.indexOf(id) < index
        ? [`targets.${index}.socialAccountId must not be the account of another target`]
        : [],
    ),
    ...(media.size > maxDistinctMedia
      ? [`mediaIds must name no more than ${maxDistinctMedia} different media in all targets`]
      : []),
    ...(useNextSlot && (scheduledAt || draft)
      ? ['useNextSlot must not be set together with scheduledAt or draft']
      : []),
  ];
}

function detailsOf(
  { targets, useNextSlot: _, content = '', mediaUrls, mediaIds, ...common }: NewGroup,
  { id, platform }: SocialAccount,
  index: number,
): NewPost {
  const { content: ownText, mediaIds: ownMedia, ...own } = targets[index] as Target;

  return {
    ...common,
    ...own,
    socialAccountId: id,
    platform,
    content: ownText ?? content ?? '',
    mediaUrls: ownMedia ? [] : mediaUrls,
    mediaIds: ownMedia ?? mediaIds,
  };
}

type KnownMedia = ReadonlyMap<string, Media>;

async function readMedia(
  organizationId: string,
  posts: readonly TargetPost[],
): Promise<KnownMedia> {
  const ids = [...new Set(posts.flatMap(({ details }) => mediaIdsOfPost(details)))];
  const found = await getMany<Media>(ids.map((id) => mediaKeys.media(organizationId, id)));

  return new Map(found.flatMap((media) => (media ? [[media.id, media]] : [])));
}

/** Returns the problems of one target. Each starts with the field name. */
async function problemsOfTarget(
  { details, account }: TargetPost,
  known: KnownMedia,
): Promise<readonly string[]> {
  const media = pickMedia(details, known);
  const missing = missingProblems(details, known);
  const unusable = missing.length > 0 ? missing : unreadyMediaProblems(media);
  if (unusable.length > 0) {
    return unusable;
  }
  const [problems, ofMedia, ofAccount] = await Promise.all([
    // The time is checked once for all targets.
    problemsOf({ ...details, scheduledAt: undefined }, account, media),
    details.draft ? undefined : mediaContentProblem(account.platform, details.mediaUrls ?? []),
    details.draft ? undefined : problemOfAccount(account, details),
  ]);

  return [
    ...problems,
    ...(ofMedia === undefined ? [] : [ofMedia]),
    ...(ofAccount === undefined ? [] : [`socialAccountId cannot publish: ${ofAccount}`]),
  ];
}

function missingProblems(post: WithMedia, known: KnownMedia): readonly string[] {
  const missing = (ids: readonly string[], fieldOf: (index: number) => string) =>
    ids.flatMap((id, index) =>
      known.has(id) ? [] : [`${fieldOf(index)} must be a medium of the library`],
    );
  const { mediaIds, thread, settings } = post;

  return [
    ...missing(mediaIds ?? [], (index) => `mediaIds.${index}`),
    ...(thread ?? []).flatMap((part, number) =>
      missing(part.mediaIds ?? [], (index) => `thread.${number}.mediaIds.${index}`),
    ),
    ...missing(coverIdsOf(settings), () => 'settings'),
  ];
}

async function problemOfAccount(
  account: SocialAccount,
  details: NewPost,
): Promise<string | undefined> {
  if (!account.isActive) {
    return 'the social account is not active. Please connect it again';
  }
  const timer = new AbortController();
  const limit = wait(maxNetworkCheckMs, undefined, { signal: timer.signal });
  try {
    return await Promise.race([problemAtNetwork(account, details), limit]);
  } finally {
    timer.abort();
  }
}

/** Ignores outages, because they may be over when the post is published. */
async function problemAtNetwork(
  account: SocialAccount,
  details: NewPost,
): Promise<string | undefined> {
  try {
    const { token, permissions, quota, settings } = await problemsAtNetwork(account, details);

    return token ?? permissions ?? quota ?? settings;
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      throw failure;
    }
    const { kind, message } = failure;

    return kind === 'tokenInvalid' || kind === 'scopeMissing' ? message : undefined;
  }
}
