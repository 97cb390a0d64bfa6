import { createHmac, randomBytes } from 'node:crypto';
import { callService } from '../call-service.ts';
import type { CreatedEvent, CustomerEvent, HandshakeOutcome } from '../network-definition.ts';
import { isoNow, type NetworkWorld, type SandboxMessage } from '../network-world.ts';
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
          message: { mid: id, text: sent.text, ...echo },
        },
      ],
    },
  };
}

function keepMessage(world: NetworkWorld, event: CustomerEvent, id: string) {
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
