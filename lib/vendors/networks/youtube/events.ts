import { createHmac } from 'node:crypto';
import { reportUnreadable } from '#lib/vendors/networks/lenient-fields.ts';
import type { EventsApi, NormalisedEvent, RawReply } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { isSameToken, isSignature } from '#lib/vendors/networks/signature.ts';
import { platform } from './call.ts';
import { hubSecret, topicBase } from './subscriptions.ts';

/** The algorithms that WebSub allows. Google's hub uses `sha1`. */
const algorithms = ['sha1', 'sha256', 'sha384', 'sha512'];

/**
 * Confirms a subscription that this service requested.
 *
 * Unverified: that the hub returns `hub.verify_token`, which predates WebSub. See
 * docs/operations.md.
 */
export const answerChallenge: EventsApi['answerChallenge'] = async (query) => {
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
  const app = await networkApp(platform);
  const isOurs =
    ['subscribe', 'unsubscribe'].includes(mode) &&
    (query['hub.topic'] ?? topicBase).startsWith(topicBase) &&
    app.verifyToken !== undefined &&
    isSameToken(verifyToken, app.verifyToken);

  return isOurs ? reply(200, challenge) : reply(403, 'Forbidden');
};

export const verifySignature: EventsApi['verifySignature'] = async (rawBody, headers) => {
  const [algorithm = '', given] = (headers['x-hub-signature'] ?? '').split('=');
  if (!algorithms.includes(algorithm)) {
    return false;
  }
  const expected = createHmac(algorithm, await hubSecret())
    .update(rawBody)
    .digest();

  return isSignature(given, 'hex', expected);
};

/** Parses an Atom feed of new and changed videos. Ignores deletions. */
export const parseEvents: EventsApi['parseEvents'] = (rawBody) => {
  const xml = rawBody.toString('utf8');
  if (!/<feed[\s>]/.test(xml)) {
    throw new SyntaxError('The body is not an Atom feed');
  }
  const entries = xml.split(/<entry[\s>]/).slice(1);

  return entries.flatMap((entry) => toEvent(entry.split('</entry>')[0] ?? ''));
};

function toEvent(entry: string): readonly NormalisedEvent[] {
  const videoId = textOf(entry, 'yt:videoId');
  const channelId = textOf(entry, 'yt:channelId');
  const at = textOf(entry, 'updated') ?? textOf(entry, 'published') ?? '';
  if (!videoId || !channelId || Number.isNaN(Date.parse(at))) {
    reportUnreadable(platform, ['entry: no video, channel or time']);

    return [];
  }

  return [
    {
      eventId: `${videoId}:${at}`,
      platformUserId: channelId,
      type: 'post',
      channel: 'POST',
      from: { id: channelId, name: textOf(entry, 'name') ?? '' },
      text: textOf(entry, 'title') ?? '',
      messageId: videoId,
      platformPostId: videoId,
      isEcho: true,
      occurredAt: new Date(at).toISOString(),
    },
  ];
}

/**
 * Returns the text of the first such element. Google's feeds contain no CDATA or nested elements.
 */
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
