import { createHmac, randomBytes } from 'node:crypto';
import { callService } from '../call-service.ts';
import { keepMessage } from '../keep-message.ts';
import type { CreatedEvent, CustomerEvent, HandshakeOutcome } from '../network-definition.ts';
import {
  accountOf,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxComment,
} from '../network-world.ts';
import { planOf } from './app.ts';
import { describeComment, describeUser } from './publishing-routes.ts';

/** Creates an event in the Activity API's format. */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  return event.type === 'message' ? messageEvent(world, event) : postEvent(world, event);
}

function messageEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const sent = keepMessage(world, event, event.eventId ?? numericId(19));
  const customer = describeUser(event.from.id, event.from.name);
  const account = describeUser(event.userId, accountOf(world, event.userId).name);
  const [sender, recipient] = event.echo ? [account, customer] : [customer, account];

  return signed(world, event, sent.id, event.echo ? 'dm.sent' : 'dm.received', {
    direct_message_events: [
      {
        type: 'message_create',
        id: sent.id,
        created_timestamp: String(Date.parse(sent.at)),
        message_create: {
          target: { recipient_id: recipient.id },
          sender_id: sender.id,
          message_data: { text: sent.text, entities: { urls: [] }, ...fileOf(event) },
        },
      },
    ],
    users: { [sender.id]: { data: sender }, [recipient.id]: { data: recipient } },
  });
}

/** A message contains at most one file. */
function fileOf({ attachments: [file] }: CustomerEvent) {
  if (file === undefined) {
    return {};
  }
  const { id, kind, url } = file;
  const isVideo = kind === 'video';

  return {
    attachment: {
      type: 'media',
      media: {
        id,
        media_url_https: isVideo ? `${url}.jpg` : url,
        type: isVideo ? 'video' : 'photo',
        ...(isVideo ? { video_info: { variants: [{ content_type: 'video/mp4', url }] } } : {}),
      },
    },
  };
}

/**
 * Creates a post event: a reply to the account's post, or a customer's post that mentions it
 * explicitly. X delivers no events of types that the app may not subscribe to.
 */
function postEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const comment = keepComment(world, event);
  const type = postEventType(event);

  if (planOf(world).rejectedEvents.includes(type)) {
    return { eventId: comment.id };
  }

  return signed(world, event, comment.id, type, describeComment(comment), {
    users: [describeUser(comment.from.id, comment.from.name)],
  });
}

function postEventType({ type, echo }: CustomerEvent): string {
  if (echo) {
    return 'post.create';
  }

  return type === 'comment' ? 'post.reply.create' : 'post.mention.create';
}

function keepComment(world: NetworkWorld, event: CustomerEvent): SandboxComment {
  const { userId } = event;
  const id = event.eventId ?? numericId(19);
  const isReply = event.type === 'comment' || event.postId !== undefined;
  const postId = event.postId ?? postsOf(world, userId)[0]?.id ?? numericId(19);
  const comment = world.comments.get(id) ?? {
    id,
    userId,
    postId: isReply ? postId : id,
    parentId: isReply ? postId : null,
    from: event.echo ? { id: userId, name: accountOf(world, userId).name } : event.from,
    text: event.text,
    at: event.at,
    isAnsweredPrivately: false,
    repostOf: event.repostOf,
    quoteOf: event.quoteOf,
  };
  world.comments.set(id, comment);

  return comment;
}

function signed(
  world: NetworkWorld,
  event: CustomerEvent,
  eventId: string,
  type: string,
  payload: object,
  includes?: object,
): CreatedEvent {
  const body = JSON.stringify({
    data: {
      event_uuid: eventId,
      filter: { user_id: event.userId },
      event_type: type,
      tag: type,
      payload,
      ...(includes ? { includes } : {}),
    },
  });

  return {
    eventId,
    delivery: {
      headers: {
        'content-type': 'application/json',
        'x-twitter-webhooks-signature': `sha256=${proof(world, body)}`,
      },
      body,
    },
  };
}

/** Signs with the consumer secret. */
function proof(world: NetworkWorld, text: string): string {
  const secret = world.app.webhookSecret ?? world.app.clientSecret;

  return createHmac('sha256', secret).update(text).digest('base64');
}

/**
 * Sends a challenge to the callback URL. The response proves that the receiver knows the consumer
 * secret.
 */
export async function performHandshake(
  world: NetworkWorld,
  callbackUrl: string,
): Promise<HandshakeOutcome> {
  const token = randomBytes(24).toString('base64url');
  const target = new URL(callbackUrl);
  target.searchParams.set('crc_token', token);
  const { status, body } = await callService(target.toString());
  const expected = `sha256=${proof(world, token)}`;

  return { isAccepted: status === 200 && answeredWith(body) === expected, status, body };
}

function answeredWith(body: string): unknown {
  try {
    return (JSON.parse(body) as { response_token?: unknown } | null)?.response_token;
  } catch {
    return undefined;
  }
}
