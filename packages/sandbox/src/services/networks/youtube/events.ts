import { createHmac, randomBytes } from 'node:crypto';
import { callService } from '../call-service.ts';
import type { CreatedEvent, CustomerEvent, HandshakeOutcome } from '../network-definition.ts';
import { accountOf, type NetworkWorld, postsOf } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { newCommentId } from './api.ts';

export const maximumLeaseSeconds = 864_000;

export type Lease = {
  readonly callbackUrl: string;
  readonly secret: string;
  readonly until: number;
};

export const leases = perWorld(() => new Map<string, Lease>());

type HubRequest = {
  readonly mode: string;
  readonly channelId: string;
  readonly verifyToken: string | undefined;
  readonly leaseSeconds: number;
};

export async function verify(
  callbackUrl: string,
  { mode, channelId, verifyToken, leaseSeconds }: HubRequest,
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

/** Adds a comment. YouTube does not push comments, so there is no delivery. */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const { userId } = event;
  const id = event.eventId ?? newCommentId();

  if (!world.comments.has(id)) {
    world.comments.set(id, {
      id,
      userId,
      postId: event.postId ?? postsOf(world, userId)[0]?.id ?? newCommentId().slice(0, 11),
      parentId: null,
      from: event.echo ? { id: userId, name: accountOf(world, userId).name } : event.from,
      text: event.text,
      at: event.at,
      isAnsweredPrivately: false,
    });
  }

  return { eventId: id };
}

/** Verifies the callback URL without a subscription. */
export function performHandshake(
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

/** Sends a new video to the channel's subscriber, without waiting for the response. */
export function notifySubscribers(world: NetworkWorld, videoId: string, title: string): void {
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
