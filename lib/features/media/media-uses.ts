import { equals } from '#lib/platform/db/conditions.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';

/** The media that cannot be deleted because a post uses them. */
export type MediaInUse = {
  readonly organizationId: string;
  readonly mediaIds: ReadonlySet<string>;
};

/**
 * Counts the posts that use a media file, in the transaction of the post. A file is deleted only if
 * no post uses it, so either the post is written or the file is deleted.
 */
export function planMediaUses(
  before: MediaInUse | undefined,
  after: MediaInUse | undefined,
): readonly Write[] {
  const none: ReadonlySet<string> = new Set();
  const [was, is] = [before?.mediaIds ?? none, after?.mediaIds ?? none];
  const organizationId = (before ?? after)?.organizationId ?? '';

  return [
    ...[...is].filter((id) => !was.has(id)).map((id) => planUses(organizationId, id, 1)),
    ...[...was]
      .filter((id) => !is.has(id))
      .map((id) => change(mediaKeys.media(organizationId, id), { add: { uses: -1 } })),
  ];
}

/** Counts several new posts, with one write per media file. */
export function planNewMediaUses(posts: readonly MediaInUse[]): readonly Write[] {
  const uses = posts.flatMap(({ organizationId, mediaIds }) =>
    [...mediaIds].map((id) => ({ organizationId, id })),
  );

  return [...Map.groupBy(uses, ({ id }) => id)].flatMap(([id, [first, ...others]]) =>
    first ? planUses(first.organizationId, id, 1 + others.length) : [],
  );
}

function planUses(organizationId: string, id: string, uses: number): Write {
  return change(mediaKeys.media(organizationId, id), {
    add: { uses },
    when: equals('status', 'READY'),
    onConditionFailed: () => notFound('Media'),
  });
}
