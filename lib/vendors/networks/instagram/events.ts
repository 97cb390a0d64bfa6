import {
  type Entry,
  type MetaChange,
  parseMetaDelivery,
} from '#lib/vendors/networks/meta/meta-events.ts';
import { answerHubChallenge, isSignedByMeta } from '#lib/vendors/networks/meta/meta-webhook.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type {
  ChallengeQuery,
  Credentials,
  Headers,
  NormalisedEvent,
  RawReply,
} from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const subscribedFields = 'comments,live_comments,messages,message_edit,messaging_postbacks';

const comment = z.object({
  id: z.string(),
  text: z.string().default(''),
  from: z.object({ id: z.string(), username: z.string().default('') }),
  media: z.object({ id: z.string() }).optional(),
  parent_id: z.string().optional(),
});

/** Subscribes the account. The operator sets the callback URL once for the app. */
export async function subscribe(credentials: Credentials): Promise<void> {
  await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    form: { subscribed_fields: subscribedFields },
    isHarmless: true,
  });
}

export async function unsubscribe(credentials: Credentials): Promise<void> {
  await call(credentials, {
    method: 'DELETE',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    isHarmless: true,
  });
}

export function answerChallenge(query: ChallengeQuery): Promise<RawReply | undefined> {
  return answerHubChallenge(platform, query);
}

export function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  return isSignedByMeta([platform, 'FACEBOOK'], rawBody, headers);
}

/**
 * Returns messages and comments. Ignores mentions outside the account's own posts, because they
 * carry neither text nor author.
 *
 * @throws SyntaxError if the body is not a delivery for Instagram.
 */
export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  return parseMetaDelivery(rawBody, 'instagram', (entry, change) =>
    change.field === 'comments' || change.field === 'live_comments'
      ? commentEvent(entry, change)
      : undefined,
  );
}

function commentEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
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
