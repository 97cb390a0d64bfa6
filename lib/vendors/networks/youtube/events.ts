import { createHmac } from 'node:crypto';
import { config } from '#lib/platform/config.ts';
import { callNetwork } from '#lib/vendors/networks/call-network.ts';
import type {
  Credentials,
  Headers,
  NormalisedEvent,
  RawReply,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';

const topicBase = 'https://www.youtube.com/feeds/videos.xml?channel_id=';
/** The hub's own maximum, 10 days (from memory): subscribing again renews it. */
const leaseSeconds = 864_000;
/** What WebSub lets a hub choose from; Google's signs with the first. */
const algorithms = ['sha1', 'sha256', 'sha384', 'sha512'];

/** Asks the hub for the channel's new and changed videos. It confirms by a handshake, later. */
export function subscribe(credentials: Credentials, callbackUrl: string): Promise<void> {
  return callHub('subscribe', credentials, callbackUrl);
}

/** Whoever does not answer the handshake stays subscribed until the lease ends. */
export function unsubscribe(credentials: Credentials): Promise<void> {
  return callHub('unsubscribe', credentials, `${config.publicBaseUrl}/webhooks/youtube`);
}

/**
 * Confirms to the hub what this service asked for. That `hub.verify_token` is sent back is from
 * memory (it was in the protocol before WebSub): to be checked before going live.
 */
export async function answerChallenge(
  query: Readonly<Record<string, string | undefined>>,
): Promise<RawReply | undefined> {
  const mode = query['hub.mode'];
  const challenge = query['hub.challenge'];
  if (mode === undefined && challenge === undefined) {
    return undefined;
  }
  if (mode === 'denied') {
    return reply(200, '');
  }
  const verifyToken = query['hub.verify_token'];
  if (!mode || !challenge || !verifyToken) {
    return reply(400, 'hub.mode, hub.challenge and hub.verify_token are required');
  }
  const app = await networkApp('YOUTUBE');
  const isOurs =
    ['subscribe', 'unsubscribe'].includes(mode) &&
    (query['hub.topic'] ?? topicBase).startsWith(topicBase) &&
    isSameText(verifyToken, app.verifyToken);

  return isOurs ? reply(200, challenge) : reply(403, 'Forbidden');
}

export async function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  const [algorithm = '', given] = (headers['x-hub-signature'] ?? '').split('=');
  if (!algorithms.includes(algorithm)) {
    return false;
  }
  const expected = createHmac(algorithm, await hubSecret())
    .update(rawBody)
    .digest();

  return isSignature(given, 'hex', expected);
}

/** An Atom feed: videos that are new or changed. That one was deleted is left out. */
export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const xml = rawBody.toString('utf8');
  if (!/<feed[\s>]/.test(xml)) {
    throw new SyntaxError('The delivery is no Atom feed');
  }
  const entries = xml.split(/<entry[\s>]/).slice(1);

  return entries.flatMap((entry) => toEvent(entry.split('</entry>')[0] ?? ''));
}

async function callHub(
  mode: 'subscribe' | 'unsubscribe',
  { platformUserId }: Credentials,
  callbackUrl: string,
): Promise<void> {
  const [{ verifyToken }, secret] = await Promise.all([networkApp('YOUTUBE'), hubSecret()]);
  await callNetwork({
    platform: 'YOUTUBE',
    method: 'POST',
    url: `${config.networks.youtube.hubBase}/subscribe`,
    form: {
      'hub.mode': mode,
      'hub.topic': `${topicBase}${platformUserId}`,
      'hub.callback': callbackUrl,
      'hub.verify': 'async',
      'hub.verify_token': verifyToken,
      'hub.secret': secret,
      'hub.lease_seconds': leaseSeconds,
    },
    // The same request again changes nothing.
    isHarmless: true,
  });
}

/** Given to the hub with each subscription, and what it then signs with. */
async function hubSecret(): Promise<string> {
  const { clientSecret, webhookSecret } = await networkApp('YOUTUBE');

  return webhookSecret ?? clientSecret;
}

/** Digests have one length, so that not even the length of the token is told. */
function isSameText(given: string, expected: string | undefined): boolean {
  return (
    expected !== undefined &&
    isSignature(hmacOf('verify', given).toString('hex'), 'hex', hmacOf('verify', expected))
  );
}

function toEvent(entry: string): readonly NormalisedEvent[] {
  const videoId = textOf(entry, 'yt:videoId');
  const channelId = textOf(entry, 'yt:channelId');
  const at = textOf(entry, 'updated') ?? textOf(entry, 'published') ?? '';
  if (!videoId || !channelId || Number.isNaN(Date.parse(at))) {
    return [];
  }

  return [
    {
      eventId: `${videoId}:${at}`,
      platformUserId: channelId,
      type: 'post',
      channel: 'POST',
      from: { id: channelId, name: textOf(entry, 'name') ?? '' },
      to: undefined,
      text: textOf(entry, 'title') ?? '',
      messageId: videoId,
      platformPostId: videoId,
      isEcho: true,
      occurredAt: new Date(at).toISOString(),
    },
  ];
}

/** The text of the first element of that name; Google's feeds have no CDATA and no nesting in it. */
function textOf(xml: string, name: string): string | undefined {
  const start = xml.search(new RegExp(`<${name}[\\s>]`));
  const open = xml.indexOf('>', start);
  const end = xml.indexOf(`</${name}>`, open);

  return start < 0 || open < 0 || end < 0
    ? undefined
    : decode(xml.slice(open + 1, end))
        .trim()
        .toWellFormed();
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decode(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (all, hex, decimal, name) => {
      const point = hex ? Number.parseInt(hex, 16) : Number(decimal);
      if (name !== undefined) {
        return named[name] ?? all;
      }

      return point <= 0x10ffff ? String.fromCodePoint(point) : all;
    },
  );
}

function reply(status: number, body: string): RawReply {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}
