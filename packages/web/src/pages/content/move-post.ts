import type { InfiniteData } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { cancelReads, queries, refresh } from '../../frame/queries.ts';
import { useMembership } from '../../frame/session.tsx';
import { momentOf } from '../../frame/zoned.ts';
import { type ContentPost, client, type ListContentPostsResponse } from '../../service.ts';
import { type Day, dayOf, onDay } from './calendar.ts';

export type Moving = {
  readonly move: (post: ContentPost, day: Day) => void;
  /** The id of the post that was moved last. It keeps the focus wherever it is drawn. */
  readonly followed: { readonly current: string | undefined };
};

/** The time of day for drafts that are dragged into the calendar. */
const firstTime = 'T09:00';

/** Moves posts to another day, at the same time. The calendar shows the move immediately. */
export function useMovePost(timeZone: string) {
  const { id: organizationId } = useMembership();
  const { dateTime } = useFormats();
  const [last, setLast] = useState<{ readonly post: ContentPost; readonly at: string }>();
  const [announcement, setAnnouncement] = useState('');
  const moving = useSend(
    ({ postId, scheduledAt }: { readonly postId: string; readonly scheduledAt: string }, options) =>
      client.content.updatePost({ organizationId, postId, scheduledAt }, options),
    { changes: ['content'], inOrder: 'content' },
  );
  const followed = useRef<string>();
  const moveTo = async (post: ContentPost, at: string) => {
    followed.current = post.id;
    setLast({ post, at });
    showAt(organizationId, post, at);
    try {
      await moving.send({ postId: post.id, scheduledAt: at });
      setAnnouncement(`Moved to ${dateTime(at)}`);
    } catch {
      refresh(['content']);
    }
  };

  return {
    announcement,
    followed,
    move: (post: ContentPost, day: Day) => {
      if (post.scheduledAt === null || post.status === 'DRAFT') {
        void moveTo(post, momentOf(`${day}${firstTime}`, timeZone));
      } else if (dayOf(post.scheduledAt, timeZone) !== day) {
        void moveTo(post, onDay(post.scheduledAt, day, timeZone));
      }
    },
    failed:
      moving.error && last
        ? { ...last, error: moving.error, retry: () => moveTo(last.post, last.at) }
        : undefined,
  };
}

/** Shows the post at its new time in the loaded lists, until they are loaded again. */
function showAt(organizationId: string, post: ContentPost, scheduledAt: string): void {
  void cancelReads('content');
  queries.setQueriesData<InfiniteData<ListContentPostsResponse>>(
    { queryKey: [organizationId, 'content', 'calendar'] },
    (loaded) =>
      loaded && {
        ...loaded,
        pages: loaded.pages.map((page) => ({
          ...page,
          contentPosts: page.contentPosts.map((one) =>
            one.id === post.id ? { ...one, scheduledAt } : one,
          ),
        })),
      },
  );
}
