import { createHmac, randomBytes } from 'node:crypto';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { callService } from '../call-service.ts';
import type { HandshakeOutcome, NetworkCall, NetworkRoute } from '../network-definition.ts';
import { accountOf, isoNow, type NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

const topic = /^https:\/\/www\.youtube\.com\/(?:xml\/)?feeds\/videos\.xml\?channel_id=(.+)$/;
const maximumLeaseSeconds = 864_000;

type Lease = { readonly callbackUrl: string; readonly secret: string; readonly until: number };

const leases = perWorld(() => new Map<string, Lease>());

/** Google's WebSub hub. */
export const hubRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/subscribe$/, answer: subscribe },
];

/** Accepts the request and verifies it with the callback afterwards. */
function subscribe({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);
  const mode = form.get('hub.mode') ?? '';
  const callbackUrl = form.get('hub.callback') ?? '';
  const channelId = topic.exec(form.get('hub.topic') ?? '')?.[1];

  if (!['subscribe', 'unsubscribe'].includes(mode)) {
    return plain(400, 'Invalid value for hub.mode');
  }

  if (!URL.canParse(callbackUrl)) {
    return plain(400, 'Invalid parameter: hub.callback');
  }

  if (channelId === undefined) {
    return plain(400, 'Invalid parameter: hub.topic');
  }

  const leaseSeconds = Math.min(
    Number(form.get('hub.lease_seconds') ?? maximumLeaseSeconds),
    maximumLeaseSeconds,
  );
  const subscription = {
    mode,
    channelId,
    verifyToken: form.get('hub.verify_token') ?? undefined,
    leaseSeconds,
  };
  void verify(callbackUrl, subscription).then(({ isAccepted }) => {
    if (isAccepted) {
      const until = world.clock().getTime() + leaseSeconds * 1_000;
      settle(world, subscription, { callbackUrl, secret: form.get('hub.secret') ?? '', until });
    }
  });

  return plain(202, '');
}

function settle(
  world: NetworkWorld,
  { mode, channelId }: { readonly mode: string; readonly channelId: string },
  lease: Lease,
): void {
  if (mode === 'unsubscribe') {
    leases(world).delete(channelId);
    world.subscriptions.delete(channelId);

    return;
  }

  leases(world).set(channelId, lease);
  world.subscriptions.set(channelId, {
    userId: channelId,
    fields: ['videos'],
    callbackUrl: lease.callbackUrl,
    at: isoNow(world),
  });
}

type Asked = {
  readonly mode: string;
  readonly channelId: string;
  readonly verifyToken: string | undefined;
  readonly leaseSeconds: number;
};

async function verify(
  callbackUrl: string,
  { mode, channelId, verifyToken, leaseSeconds }: Asked,
): Promise<HandshakeOutcome> {
  const challenge = randomBytes(12).toString('hex');
  const target = new URL(callbackUrl);
  target.searchParams.set('hub.mode', mode);
  target.searchParams.set('hub.topic', topicOf(channelId));
  target.searchParams.set('hub.challenge', challenge);
  target.searchParams.set('hub.lease_seconds', String(leaseSeconds));

  if (verifyToken !== undefined) {
    target.searchParams.set('hub.verify_token', verifyToken);
  }

  const { status, body } = await callService(target.toString());
  const isAccepted = status !== null && status >= 200 && status < 300 && body === challenge;

  return { isAccepted, status, body };
}

/** Runs a handshake on request. */
export function hubHandshake(
  world: NetworkWorld,
  callbackUrl: string,
  { verifyToken = world.app.verifyToken }: { readonly verifyToken?: string | undefined },
): Promise<HandshakeOutcome> {
  return verify(callbackUrl, {
    mode: 'subscribe',
    channelId: 'handshake',
    verifyToken,
    leaseSeconds: maximumLeaseSeconds,
  });
}

/** Notifies the channel's subscriber of a new video, without waiting for the delivery. */
export function tellSubscribers(world: NetworkWorld, videoId: string, title: string): void {
  const post = world.posts.get(videoId);
  const lease = leases(world).get(post?.userId ?? '');

  if (post === undefined || lease === undefined || lease.until < world.clock().getTime()) {
    return;
  }

  const body = feed(post.userId, accountOf(world, post.userId).name, {
    videoId,
    title,
    at: post.at,
  });
  const signature = createHmac('sha1', lease.secret).update(body).digest('hex');
  void callService(lease.callbackUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/atom+xml',
      link: `<https://pubsubhubbub.appspot.com/>; rel=hub, <${topicOf(post.userId)}>; rel=self`,
      ...(lease.secret === '' ? {} : { 'x-hub-signature': `sha1=${signature}` }),
    },
    body,
  });
}

function feed(
  channelId: string,
  channelName: string,
  video: { readonly videoId: string; readonly title: string; readonly at: string },
): string {
  const { videoId, title, at } = video;

  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="https://pubsubhubbub.appspot.com"/><link rel="self" href="${escaped(topicOf(channelId))}"/><title>YouTube video feed</title><updated>${at}</updated>
<entry>
  <id>yt:video:${videoId}</id>
  <yt:videoId>${videoId}</yt:videoId>
  <yt:channelId>${escaped(channelId)}</yt:channelId>
  <title>${escaped(title)}</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=${videoId}"/>
  <author>
   <name>${escaped(channelName)}</name>
   <uri>https://www.youtube.com/channel/${escaped(channelId)}</uri>
  </author>
  <published>${at}</published>
  <updated>${at}</updated>
 </entry></feed>
`;
}

function topicOf(channelId: string): string {
  return `https://www.youtube.com/feeds/videos.xml?channel_id=${channelId}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function plain(status: number, body: string): SandboxAnswer {
  return { status, headers: { 'content-type': 'text/plain' }, body };
}
