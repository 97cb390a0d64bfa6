import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';

/** The media that a post keeps from being deleted. */
export type MediaInUse = {
  readonly organizationId: string;
  readonly mediaIds: ReadonlySet<string>;
};

/**
 * Counts the posts that use a medium, in the transaction of the post. A medium is deleted only if
 * none does, so either the post is written or the medium is deleted.
 */
export function planMediaUses(
  before: MediaInUse | undefined,
  after: MediaInUse | undefined,
): readonly Write[] {
  const none: ReadonlySet<string> = new Set();
  const [was, is] = [before?.mediaIds ?? none, after?.mediaIds ?? none];
  const organizationId = (before ?? after)?.organizationId ?? '';

  return [
    ...[...is]
      .filter((id) => !was.has(id))
      .map((id) =>
        change(keys.media(organizationId, id), {
          add: { uses: 1 },
          when: equals('status', 'READY'),
          refused: () => notFound('Media'),
        }),
      ),
    ...[...was]
      .filter((id) => !is.has(id))
      .map((id) => change(keys.media(organizationId, id), { add: { uses: -1 } })),
  ];
}
