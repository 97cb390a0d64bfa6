import { type Media, requireMediaOf, unreadyProblems } from '#lib/features/media/media.ts';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import { coverFields, coverIdsOf } from './post-settings.ts';

export type WithMedia = {
  readonly mediaIds?: readonly string[] | null | undefined;
  readonly thread?:
    | ReadonlyArray<{ readonly mediaIds?: readonly string[] | null | undefined }>
    | null
    | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | null | undefined;
};

/**
 * Library media of a post: its own, those of each part of its thread, and the image of its
 * settings.
 */
export type PostMedia = {
  readonly media: readonly Media[];
  readonly threadMedia: ReadonlyArray<readonly Media[]>;
  readonly cover?: Cover | undefined;
};

/** The image whose id a field of the settings contains. */
export type Cover = { readonly field: string; readonly image: Media };

/** Returns the media of a post. @throws 404 if one is missing. */
export async function requireMediaOfPost(
  organizationId: string,
  post: WithMedia,
): Promise<PostMedia> {
  const found = await requireMediaOf(organizationId, [...new Set(mediaIdsOfPost(post))]);

  return pickMedia(post, new Map(found.map((medium) => [medium.id, medium])));
}

export function mediaIdsOfPost(post: WithMedia): readonly string[] {
  return [...listsOf(post).flat(), ...coverIdsOf(post.settings)];
}

/** The media ids of a post, then those of each part of its thread. */
function listsOf({ mediaIds, thread }: WithMedia): ReadonlyArray<readonly string[]> {
  return [mediaIds ?? [], ...(thread ?? []).map((part) => part.mediaIds ?? [])];
}

/** Returns the media that the post refers to. */
export function pickMedia(post: WithMedia, byId: ReadonlyMap<string, Media>): PostMedia {
  const [media = [], ...threadMedia] = listsOf(post).map((ids) =>
    ids.flatMap((id) => byId.get(id) ?? []),
  );

  return { media, threadMedia, cover: coverOf(post.settings, byId) };
}

function coverOf(
  settings: WithMedia['settings'],
  byId: ReadonlyMap<string, Media>,
): Cover | undefined {
  const [cover] = coverFields.flatMap((field) =>
    coverIdsOf({ [field]: settings?.[field] }).flatMap((id) => {
      const image = byId.get(id);

      return image ? [{ field, image }] : [];
    }),
  );

  return cover;
}

/**
 * Returns a problem for each media file that cannot be published. Each problem starts with the
 * field name.
 */
export function unreadyMediaProblems({ media, threadMedia, cover }: PostMedia): readonly string[] {
  return [
    ...(cover ? unreadyCoverProblems(cover) : []),
    ...unreadyProblems(media),
    ...threadMedia.flatMap((ofPart, index) =>
      unreadyProblems(ofPart).map((problem) => `thread.${index}.${problem}`),
    ),
  ];
}

function unreadyCoverProblems({ field, image }: Cover): readonly string[] {
  return unreadyProblems([image]).map((problem) =>
    problem.replace('mediaIds.0', `settings.${field}`),
  );
}

/**
 * Returns media that can be published.
 *
 * @throws 404 if a file is missing, 400 if one is not READY.
 */
export async function requireReadyMediaOfPost(
  organizationId: string,
  post: WithMedia,
): Promise<PostMedia> {
  const media = await requireMediaOfPost(organizationId, post);
  rejectProblems(unreadyMediaProblems(media));

  return media;
}
