import { createHash, createHmac, randomUUID } from 'node:crypto';
import { keepMessage } from '../keep-message.ts';
import type { CreatedEvent, CustomerEvent, Delivery } from '../network-definition.ts';
import {
  accountOf,
  type NetworkWorld,
  numericId,
  postsOf,
  type RegisteredApp,
} from '../network-world.ts';
import { longNumbers } from './api.ts';
import { businessAppOf, businessIdOf, businessTokens } from './business-api.ts';

/**
 * Creates an event of the Business app. Accounts that never authorized that app get no delivery.
 */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const created =
    event.type === 'message' ? messageEvent(world, event) : commentEvent(world, event);
  const isAuthorized = businessTokens(world).hasGrant(event.userId);

  return isAuthorized ? created : { eventId: created.eventId };
}

/**
 * Uses the customer's id as the conversation id, to keep test data readable. As in the real API,
 * messages contain a different id of the customer, which does not accept replies.
 */
function messageEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const sent = keepMessage(world, event, event.eventId ?? `${randomUUID()}==`);
  const hashed = createHash('sha256').update(event.from.id).digest('base64url');
  const customer = { id: hashed, role: 'personal_account' };
  const account = { id: businessIdOf(event.userId), role: 'business_account' };
  const accountName = accountOf(world, event.userId).name;
  const content = {
    from: event.echo ? accountName : event.from.name,
    to: event.echo ? event.from.name : accountName,
    unique_identifier: hashed,
    from_user: event.echo ? account : customer,
    to_user: event.echo ? customer : account,
    conversation_id: event.from.id,
    message_id: sent.id,
    timestamp: Date.parse(sent.at),
    ...contentOf(event, sent.text),
  };
  const name = event.echo ? 'im_send_msg' : 'im_receive_msg';

  return businessEvent(world, event.userId, sent.id, name, JSON.stringify(content));
}

/** A message contains either text or one file. */
function contentOf({ attachments: [file] }: CustomerEvent, text: string) {
  if (file === undefined) {
    return { type: 'text', text: { body: text } };
  }
  const { id, kind, url } = file;

  return { type: kind, [kind]: kind === 'sticker' ? { url } : { media_id: id } };
}

function commentEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const { userId } = event;
  const id = event.eventId ?? numericId(19);
  const comment = world.comments.get(id) ?? {
    id,
    userId,
    postId: event.postId ?? postsOf(world, userId)[0]?.id ?? numericId(19),
    parentId: null,
    from: event.echo ? { id: userId, name: accountOf(world, userId).name } : event.from,
    text: event.text,
    at: event.at,
    isAnsweredPrivately: false,
  };
  world.comments.set(id, comment);
  // Recorded deliveries have neither the text nor the author.
  const content = {
    comment_id: comment.id,
    video_id: comment.postId,
    parent_comment_id: 0,
    comment_type: 'comment',
    comment_action: event.action === 'withdraw' ? 'delete' : 'insert',
    timestamp: Math.floor(Date.parse(comment.at) / 1_000),
  };

  return businessEvent(world, userId, id, 'comment.update', longNumbers(JSON.stringify(content)));
}

function businessEvent(
  world: NetworkWorld,
  userId: string,
  eventId: string,
  event: string,
  content: string,
): CreatedEvent {
  const openId = businessIdOf(userId);

  return { eventId, delivery: signed(world, businessAppOf(world), { openId, event, content }) };
}

/** Creates an event of the public API's app about a publication. */
export function publicationEvent(
  world: NetworkWorld,
  userId: string,
  event: string,
  content: Readonly<Record<string, unknown>>,
): Delivery {
  return signed(world, world.app, {
    openId: userId,
    event,
    content: longNumbers(JSON.stringify(content)),
  });
}

type Signer = Pick<RegisteredApp, 'clientId' | 'clientSecret' | 'webhookSecret'>;

/** Signs a delivery with the secret of its app. The signature includes the timestamp. */
function signed(
  world: NetworkWorld,
  { clientId, clientSecret, webhookSecret }: Signer,
  { openId, event, content }: Readonly<Record<'openId' | 'event' | 'content', string>>,
): Delivery {
  const at = Math.floor(world.clock().getTime() / 1_000);
  const body = JSON.stringify({
    client_key: clientId,
    event,
    create_time: at,
    user_openid: openId,
    content,
  });
  const signature = createHmac('sha256', webhookSecret ?? clientSecret)
    .update(`${at}.${body}`)
    .digest('hex');

  return {
    headers: {
      'content-type': 'application/json',
      'tiktok-signature': `t=${at},s=${signature}`,
    },
    body,
  };
}
