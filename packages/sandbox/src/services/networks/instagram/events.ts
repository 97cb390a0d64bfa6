import { messageEntry, signedEntry, tapEntry } from '../meta/events.ts';
import type { CreatedEvent, CustomerEvent, Tap } from '../network-definition.ts';
import { addComment, type NetworkWorld, numericId } from '../network-world.ts';

/** Creates the event of a tapped button. */
export function createTap(world: NetworkWorld, tap: Tap): CreatedEvent {
  const { id, entry } = tapEntry(world, tap);

  return signedEntry(world, 'instagram', id, entry);
}

/** Creates an event for the webhook subscribers of an account. */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  if (event.type === 'message') {
    const { id, entry } = messageEntry(world, event);

    return signedEntry(world, 'instagram', id, entry);
  }

  const comment = addComment(world, event, { post: numericId, comment: () => numericId() });

  return signedEntry(world, 'instagram', comment.id, {
    id: event.userId,
    time: Math.floor(Date.parse(comment.at) / 1_000),
    changes: [
      {
        field: 'comments',
        value: {
          id: comment.id,
          text: comment.text,
          from: { id: comment.from.id, username: comment.from.name },
          media: { id: comment.postId, media_product_type: 'FEED' },
          ...(comment.parentId === null ? {} : { parent_id: comment.parentId }),
        },
      },
    ],
  });
}
