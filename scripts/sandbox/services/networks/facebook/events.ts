import { messageEntry, signedEntry } from '../meta/events.ts';
import type { CustomerEvent, MadeEvent } from '../network-definition.ts';
import { addComment, type NetworkWorld, numericId, type SandboxComment } from '../network-world.ts';

/** Builds the event that a page's subscribers receive. */
export function makeFacebookEvent(world: NetworkWorld, event: CustomerEvent): MadeEvent {
  if (event.type === 'message') {
    const { id, entry } = messageEntry(world, event);

    return signedEntry(world, 'page', id, entry);
  }

  return event.type === 'comment' ? commentEvent(world, event) : mentionEvent(world, event);
}

function commentEvent(world: NetworkWorld, event: CustomerEvent): MadeEvent {
  const comment = keepComment(world, event);

  return signedChange(world, event.userId, comment.id, 'feed', {
    item: 'comment',
    verb: 'add',
    post_id: comment.postId,
    comment_id: comment.id,
    parent_id: comment.parentId ?? comment.postId,
    from: comment.from,
    message: comment.text,
    created_time: Math.floor(Date.parse(comment.at) / 1_000),
  });
}

/**
 * With a post id, the event is a comment that mentions the page. Otherwise it is a post, which can
 * be replied to like a comment.
 */
function mentionEvent(world: NetworkWorld, event: CustomerEvent): MadeEvent {
  const isComment = event.postId !== undefined;
  const postId = event.postId ?? event.eventId ?? `${event.from.id}_${numericId(15)}`;
  const eventId = isComment ? event.eventId : postId;
  const { id } = keepComment(world, { ...event, postId, eventId });

  return signedChange(world, event.userId, id, 'mention', {
    item: isComment ? 'comment' : 'post',
    verb: 'add',
    post_id: postId,
    ...(isComment ? { comment_id: id } : {}),
    sender_id: event.from.id,
    sender_name: event.from.name,
    message: event.text,
    created_time: Math.floor(world.clock().getTime() / 1_000),
  });
}

function signedChange(
  world: NetworkWorld,
  pageId: string,
  eventId: string,
  field: string,
  value: Readonly<Record<string, unknown>>,
): MadeEvent {
  return signedEntry(world, 'page', eventId, {
    id: pageId,
    time: Math.floor(world.clock().getTime() / 1_000),
    changes: [{ field, value }],
  });
}

function keepComment(world: NetworkWorld, event: CustomerEvent): SandboxComment {
  return addComment(world, event, {
    post: () => `${event.userId}_${numericId(15)}`,
    comment: (postId) => `${postId.split('_').at(-1)}_${numericId(15)}`,
  });
}
