import type { Media } from '#lib/features/media/media.ts';
import { requireMediaOf, unreadyProblems } from '#lib/features/media/ready-media.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

type WithMedia = {
  readonly mediaIds?: readonly string[] | null | undefined;
  readonly thread?:
    | ReadonlyArray<{ readonly mediaIds?: readonly string[] | null | undefined }>
    | null
    | undefined;
};

/** Media of the library: those of a post, and those of each part of its thread. */
export type PostMedia = {
  readonly media: readonly Media[];
  readonly threadMedia: ReadonlyArray<readonly Media[]>;
};

/** Returns the media of a post. @throws 404 if one is missing. */
export async function requireMediaOfPost(
  organizationId: string,
  { mediaIds, thread }: WithMedia,
): Promise<PostMedia> {
  const groups = [mediaIds ?? [], ...(thread ?? []).map((part) => part.mediaIds ?? [])];
  const ids = [...new Set(groups.flat())];
  const found = await requireMediaOf(organizationId, ids);
  const byId = new Map(found.map((medium) => [medium.id, medium]));
  const [media = [], ...threadMedia] = groups.map((group) =>
    group.flatMap((id) => byId.get(id) ?? []),
  );

  return { media, threadMedia };
}

/** Returns which media cannot be published. Each problem starts with the field name. */
export function unreadyMediaProblems({ media, threadMedia }: PostMedia): readonly string[] {
  return [
    ...unreadyProblems(media),
    ...threadMedia.flatMap((ofPart, index) =>
      unreadyProblems(ofPart).map((problem) => `thread.${index}.${problem}`),
    ),
  ];
}

/** Returns media that can be published. @throws 404 if one is missing, 400 if one is not READY. */
export async function requireReadyMediaOfPost(
  organizationId: string,
  post: WithMedia,
): Promise<PostMedia> {
  const media = await requireMediaOfPost(organizationId, post);
  const problems = unreadyMediaProblems(media);
  if (problems.length > 0) {
    throw badRequest(...problems);
  }

  return media;
}
