import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { CreatedEvent, CustomerEvent } from '../network-definition.ts';
import {
  accountOf,
  isoNow,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxMessage,
} from '../network-world.ts';
import { longNumbers } from './api.ts';

/** Creates a signed TikTok event. */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  return event.type === 'message' ? messageEvent(world, event) : commentEvent(world, event);
}

/**
 * Uses the customer's id as the conversation id, to keep test data readable. As in the real API,
 * messages contain another id for the customer, which does not accept replies.
 */
function messageEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const sent = keepMessage(world, event);
  const hashed = createHash('sha256').update(event.from.id).digest('base64url');
  const customer = { id: hashed, role: 'personal_account' };
  const account = { id: event.userId, role: 'business_account' };
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
    type: 'text',
    text: { body: sent.text },
  };
  const name = event.echo ? 'im_send_msg' : 'im_receive_msg';

  return signed(world, event.userId, sent.id, name, JSON.stringify(content));
}

function keepMessage(world: NetworkWorld, event: CustomerEvent): SandboxMessage {
  const id = event.eventId ?? `${randomUUID()}==`;
  const sent: SandboxMessage = world.messages.get(id) ?? {
    id,
    userId: event.userId,
    customer: event.from,
    direction: event.echo ? 'out' : 'in',
    text: event.text,
    at: isoNow(world),
    tag: null,
    isFromService: false,
  };
  world.messages.set(id, sent);

  return sent;
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
    at: isoNow(world),
    isAnsweredPrivately: false,
  };
  world.comments.set(id, comment);
  const content = {
    comment_id: comment.id,
    video_id: comment.postId,
    comment_type: 'comment',
    comment_action: 'insert',
    timestamp: Math.floor(Date.parse(comment.at) / 1_000),
    unique_identifier: comment.from.id,
    username: comment.from.name,
    text: comment.text,
  };

  return signed(world, userId, id, 'comment.update', longNumbers(JSON.stringify(content)));
}

/** Signs a delivery. The signature covers the timestamp. */
function signed(
  world: NetworkWorld,
  userId: string,
  eventId: string,
  event: string,
  content: string,
): CreatedEvent {
  const at = Math.floor(world.clock().getTime() / 1_000);
  const { clientId, clientSecret, webhookSecret } = world.app;
  const body = JSON.stringify({
    client_key: clientId,
    event,
    create_time: at,
    user_openid: userId,
    content,
  });
  const signature = createHmac('sha256', webhookSecret ?? clientSecret)
    .update(`${at}.${body}`)
    .digest('hex');

  return {
    eventId,
    delivery: {
      headers: {
        'content-type': 'application/json',
        'tiktok-signature': `t=${at},s=${signature}`,
      },
      body,
    },
  };
}
