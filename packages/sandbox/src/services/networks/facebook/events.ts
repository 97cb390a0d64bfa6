import { messageEntry, signedEntry, tapEntry } from '../meta/events.ts';
import type { CreatedEvent, CustomerEvent, Tap } from '../network-definition.ts';
import { addComment, type NetworkWorld, numericId, type SandboxComment } from '../network-world.ts';

/** Creates the event of a tapped button. */
export function createTap(world: NetworkWorld, tap: Tap): CreatedEvent {
  const { id, entry } = tapEntry(world, tap);

  return signedEntry(world, 'page', id, entry);
}

/** Creates an event for the webhook subscribers of a page. */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  if (event.type === 'message') {
    const { id, entry } = messageEntry(world, event);

    return signedEntry(world, 'page', id, entry);
  }

  return event.type === 'comment' ? commentEvent(world, event) : mentionEvent(world, event);
}

const verbs = { send: 'add', announce: 'add', edit: 'edited', withdraw: 'remove' } as const;

function commentEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const comment = keepComment(world, event);

  return signedChange(world, event.userId, comment.id, 'feed', {
    item: 'comment',
    verb: verbs[event.action],
    post_id: comment.postId,
    comment_id: comment.id,
    parent_id: comment.parentId ?? comment.postId,
    from: comment.from,
    ...(event.action === 'withdraw'
      ? {}
      : { message: event.action === 'edit' ? event.text : comment.text }),
    created_time: Math.floor(Date.parse(comment.at) / 1_000),
  });
}

/**
 * Creates a mention: in a comment if the event names a post, otherwise in a post. Both accept
 * replies.
 */
function mentionEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
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
): CreatedEvent {
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
