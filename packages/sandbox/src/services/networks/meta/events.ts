import { createHmac, randomBytes } from 'node:crypto';
import { callService } from '../call-service.ts';
import { keepMessage } from '../keep-message.ts';
import type { CreatedEvent, CustomerEvent, HandshakeOutcome, Tap } from '../network-definition.ts';
import type { NetworkWorld, SandboxMessage } from '../network-world.ts';
import { formOf } from './form.ts';
import { newMessageId } from './messaging.ts';

/** Creates a delivery with one entry, signed with the app's secret. */
export function signedEntry(
  world: NetworkWorld,
  object: 'page' | 'instagram',
  eventId: string,
  entry: Readonly<Record<string, unknown>>,
): CreatedEvent {
  const body = inMetasForm(world, JSON.stringify({ object, entry: [entry] }));
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

/** Meta's samples, and some of its deliveries, contain ids as numbers. */
function inMetasForm(world: NetworkWorld, json: string): string {
  return formOf(world).numericIds
    ? json.replaceAll(/("(?:id|\w+_id)":)"([1-9]\d*)"/g, '$1$2')
    : json;
}

/**
 * Creates the entry for a private message from the customer or, as an echo, from the account. The
 * echo of a message that was sent through the API contains its tag.
 */
export function messageEntry(world: NetworkWorld, event: CustomerEvent) {
  const id = event.eventId ?? newMessageId();
  const kept = keepMessage(world, event, id);
  const at = Date.parse(kept.at);
  const sent = event.action === 'edit' ? keepEdit(world, kept) : kept;
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
          ...(event.isAnonymous
            ? {}
            : {
                sender: event.echo ? account : customer,
                recipient: event.echo ? customer : account,
              }),
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
  const sent = keepMessage(world, { userId, from, text: button.label, at, echo: false }, id);
  const timestamp = Date.parse(sent.at);

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
          postback: {
            mid: id,
            ...(button.label === '' ? {} : { title: button.label }),
            ...(button.reply === null ? {} : { payload: button.reply }),
          },
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
    return { message_edit: { mid, text, num_edit: sent.edits } };
  }

  if (action === 'announce') {
    return { message_edit: { mid, num_edit: 0 } };
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
    : { type: typeNames[kind] ?? kind, payload: { url } };
}

const typeNames: Readonly<Record<string, string>> = {
  storyMention: 'story_mention',
  reel: 'ig_reel',
};

/** Meta counts how often a message was edited. */
function keepEdit(world: NetworkWorld, sent: SandboxMessage): SandboxMessage {
  const edited = { ...sent, edits: (sent.edits ?? 0) + 1 };
  world.messages.set(sent.id, edited);

  return edited;
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
