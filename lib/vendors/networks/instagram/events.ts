import {
  type Change,
  type Entry,
  parseMetaDelivery,
} from '#lib/vendors/networks/meta/meta-events.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';

const comment = z.object({
  id: z.string(),
  text: z.string().default(''),
  from: z.object({ id: z.string(), username: z.string().default('') }),
  media: z.object({ id: z.string() }).optional(),
  parent_id: z.string().optional(),
});

/**
 * Messages and comments. A comment under one of the account's posts that mentions it is a comment;
 * a mention elsewhere tells neither its text nor its author, and is passed over.
 *
 * @throws SyntaxError for a body that is no delivery for Instagram.
 */
export function parseInstagramEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  return parseMetaDelivery(rawBody, 'instagram', (entry, change) =>
    change.field === 'comments' || change.field === 'live_comments'
      ? commentEvent(entry, change)
      : undefined,
  );
}

function commentEvent(entry: Entry, change: Change): NormalisedEvent | undefined {
  const parsed = comment.safeParse(change.value);
  if (!parsed.success) {
    return undefined;
  }
  const { id, text, from, media, parent_id: parentId } = parsed.data;

  return {
    eventId: id,
    platformUserId: entry.accountId,
    type: 'comment',
    channel: 'COMMENT',
    from: { id: from.id, name: from.username },
    to: undefined,
    text,
    messageId: id,
    ...(media ? { platformPostId: media.id } : {}),
    ...(parentId === undefined ? {} : { parentId }),
    isEcho: from.id === entry.accountId,
    occurredAt: entry.occurredAt,
  };
}
