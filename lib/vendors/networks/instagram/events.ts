import {
  networkId,
  optional,
  optionalId,
  readPart,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import {
  type Entry,
  type MetaChange,
  parseMetaDelivery,
} from '#lib/vendors/networks/meta/meta-events.ts';
import { answerHubChallenge, isSignedByMeta } from '#lib/vendors/networks/meta/meta-webhook.ts';
import type { EventsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { personOf } from '#lib/vendors/networks/person-of.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';

const comment = z.object({
  id: networkId,
  text: textOrEmpty,
  from: z.object({ id: networkId, username: textOrEmpty }),
  media: optional(z.object({ id: networkId })),
  parent_id: optionalId,
});

export const answerChallenge: EventsApi['answerChallenge'] = (query) =>
  answerHubChallenge(platform, query);

export const verifySignature: EventsApi['verifySignature'] = (rawBody, headers) =>
  isSignedByMeta([platform, 'FACEBOOK'], rawBody, headers);

/**
 * Returns messages and comments. Ignores mentions outside the account's own posts, because they
 * contain neither text nor author.
 *
 * @throws SyntaxError if the body is not a delivery for Instagram.
 */
export const parseEvents: EventsApi['parseEvents'] = (rawBody) =>
  parseMetaDelivery(rawBody, platform, (entry, change) =>
    change.field === 'comments' || change.field === 'live_comments'
      ? commentEvent(entry, change)
      : undefined,
  );

function commentEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
  const read = readPart(platform, comment, change.value);
  if (!read) {
    return undefined;
  }
  const { id, text, from, media, parent_id: parentId } = read;

  return {
    eventId: id,
    platformUserId: entry.accountId,
    type: 'comment',
    channel: 'COMMENT',
    from: personOf(from),
    text,
    messageId: id,
    ...(media ? { platformPostId: media.id } : {}),
    ...(parentId === undefined ? {} : { parentId }),
    isEcho: from.id === entry.accountId,
    occurredAt: entry.occurredAt,
  };
}
