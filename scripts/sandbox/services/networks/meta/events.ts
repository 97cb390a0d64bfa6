import { createHmac, randomBytes } from 'node:crypto';
import { callService } from '../call-service.ts';
import type { CreatedEvent, CustomerEvent, HandshakeOutcome, Tap } from '../network-definition.ts';
import type { NetworkWorld, SandboxMessage } from '../network-world.ts';
import { newMessageId } from './messaging.ts';

/** Creates a delivery with one entry, signed with the app's secret. */
export function signedEntry(
  world: NetworkWorld,
  object: 'page' | 'instagram',
  eventId: string,
  entry: Readonly<Record<string, unknown>>,
): CreatedEvent {
  const body = JSON.stringify({ object, entry: [entry] });
  const secret = world.app.webhookSecret ?? world.app.clientSecret;
  const signature = createHmac('sha256', secret).update(body).digest('hex');

  return {
    eventId,
    delivery: {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    },
  };
}

/**
 * Creates the entry for a private message from the customer or, as an echo, from the account. The
 * echo of a message that was sent through the API contains its tag.
 */
export function messageEntry(world: NetworkWorld, event: CustomerEvent) {
  const id = event.eventId ?? newMessageId();
  const { sent, at } = keepMessage(world, event, id);
  const account = { id: event.userId };
  const customer = { id: event.from.id };
  const echo = event.echo
    ? {
        is_echo: true,
        ...(sent.isFromService ? { app_id: world.app.clientId } : {}),
        ...(sent.tag === null ? {} : { metadata: sent.tag }),
      }
    : {};

  return {
    id,
    entry: {
      id: event.userId,
      time: at,
      messaging: [
        {
          sender: event.echo ? account : customer,
          recipient: event.echo ? customer : account,
          timestamp: at,
          ...contentOf(event, id, sent, echo),
        },
      ],
    },
  };
}

/** Creates the entry for a tapped button, which counts as a message of the customer. */
export function tapEntry(world: NetworkWorld, { userId, from, button, at, eventId }: Tap) {
  const id = eventId ?? newMessageId();
  const { at: timestamp } = keepMessage(
    world,
    { userId, from, text: button.label, at, echo: false },
    id,
  );

  return {
    id,
    entry: {
      id: userId,
      time: timestamp,
      messaging: [
        {
          sender: { id: from.id },
          recipient: { id: userId },
          timestamp,
          postback: { mid: id, title: button.label, payload: button.reply },
        },
      ],
    },
  };
}

function contentOf(
  { action, attachments, text }: CustomerEvent,
  mid: string,
  sent: SandboxMessage,
  echo: object,
) {
  if (action === 'edit') {
    return { message_edit: { mid, text, num_edit: 1 } };
  }

  if (action === 'withdraw') {
    return { message: { mid, is_deleted: true, ...echo } };
  }
  const story = attachments.find(({ kind }) => kind === 'story');
  const files = attachments.filter((file) => file !== story);

  return {
    message: {
      mid,
      ...(sent.text === '' ? {} : { text: sent.text }),
      ...(files.length > 0 ? { attachments: files.map(fileOf) } : {}),
      ...(story ? { reply_to: { story: { id: story.id, url: story.url } } } : {}),
      ...echo,
    },
  };
}

function fileOf({ kind, url }: CustomerEvent['attachments'][number]) {
  return kind === 'sticker'
    ? { type: 'image', payload: { url, sticker_id: 369_239_263_222_822 } }
    : { type: kind, payload: { url } };
}

function keepMessage(
  world: NetworkWorld,
  event: Pick<CustomerEvent, 'userId' | 'from' | 'text' | 'at' | 'echo'>,
  id: string,
) {
  const sent: SandboxMessage = world.messages.get(id) ?? {
    id,
    userId: event.userId,
    customer: event.from,
    direction: event.echo ? 'out' : 'in',
    text: event.text,
    at: event.at,
    tag: null,
    isFromService: false,
  };
  world.messages.set(id, sent);

  return { sent, at: Date.parse(sent.at) };
}

/** Sends a challenge to the callback URL, as Meta does when the URL is configured. */
export async function performHandshake(
  world: NetworkWorld,
  callbackUrl: string,
  options: { readonly verifyToken?: string | undefined },
): Promise<HandshakeOutcome> {
  const challenge = String(Number.parseInt(randomBytes(4).toString('hex'), 16));
  const target = new URL(callbackUrl);
  target.searchParams.set('hub.mode', 'subscribe');
  target.searchParams.set('hub.challenge', challenge);
  target.searchParams.set('hub.verify_token', options.verifyToken ?? world.app.verifyToken ?? '');
  const { status, body } = await callService(target.toString());

  return { isAccepted: status === 200 && body === challenge, status, body };
}
