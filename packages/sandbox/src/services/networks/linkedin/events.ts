import { createHmac, randomUUID } from 'node:crypto';
import { parseJson } from '../../../frame/http.ts';
import { callService } from '../call-service.ts';
import type { CreatedEvent, CustomerEvent, HandshakeOutcome } from '../network-definition.ts';
import {
  accountOf,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxComment,
} from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { organizationUrn } from './api.ts';

export type Notification = {
  readonly notificationId: number | string;
  readonly organizationalEntity: string;
  readonly action: 'COMMENT' | 'ADMIN_COMMENT' | 'SHARE_MENTION';
  readonly lastModifiedAt: number;
  readonly [more: string]: unknown;
};

const notificationsByUrn = perWorld(() => new Map<string, Notification>());

/** Returns the id of the notification of a comment. */
export function notificationIdOf(world: NetworkWorld, commentUrn: string): string | undefined {
  return notificationsByUrn(world).get(commentUrn)?.notificationId.toString();
}

/** Returns all notifications, oldest first. */
export function notificationsOf(world: NetworkWorld): readonly Notification[] {
  return [...notificationsByUrn(world).values()];
}

/** Creates a comment on the organization's post, or a post that mentions the organization. */
export function createEvent(world: NetworkWorld, event: CustomerEvent): CreatedEvent {
  const notification = event.type === 'mention' ? mention(world, event) : comment(world, event);

  return signed(world, notification);
}

function comment(world: NetworkWorld, event: CustomerEvent): Notification {
  const known = event.eventId === undefined ? undefined : world.comments.get(event.eventId);
  const { id } = known ?? keepComment(world, event);

  return recordComment(world, id, event.eventId);
}

/** Creates the notification of a comment, or returns the existing one. */
export function recordComment(
  world: NetworkWorld,
  urn: string,
  notificationId: string | undefined,
): Notification {
  const existing = notificationsByUrn(world).get(urn);
  const written = world.comments.get(urn);

  if (existing !== undefined || written === undefined) {
    return existing ?? throwUnknownComment(urn);
  }

  const { userId, from, postId, text, at } = written;
  const isOwn = from.id === userId;
  const entity = organizationUrn(userId);
  const thread = urn.slice('urn:li:comment:('.length, urn.lastIndexOf(','));
  const notification: Notification = {
    notificationId: notificationId ?? Number(numericId(10)),
    organizationalEntity: entity,
    action: isOwn ? 'ADMIN_COMMENT' : 'COMMENT',
    sourcePost: thread,
    decoratedSourcePost: {
      entity: postId,
      owner: entity,
      text: world.posts.get(postId)?.text ?? '',
      mediaCategory: 'NONE',
    },
    // LinkedIn omits the thread's prefix in this field only.
    generatedActivity: urn.replace('(urn:li:', '('),
    decoratedGeneratedActivity: {
      comment: { entity: urn, owner: isOwn ? entity : personUrn(from.id), object: thread, text },
    },
    lastModifiedAt: Date.parse(at),
  };
  notificationsByUrn(world).set(urn, notification);

  return notification;
}

function throwUnknownComment(urn: string): never {
  throw new Error(`No comment with the URN ${urn}`);
}

function mention(world: NetworkWorld, event: CustomerEvent): Notification {
  const urn = event.postId ?? `urn:li:share:${event.eventId ?? numericId(19)}`;
  const known = notificationsByUrn(world).get(urn);

  if (known !== undefined) {
    return known;
  }

  const owner = event.echo ? organizationUrn(event.userId) : personUrn(event.from.id);
  const notification: Notification = {
    notificationId: event.eventId ?? Number(numericId(10)),
    organizationalEntity: organizationUrn(event.userId),
    action: 'SHARE_MENTION',
    sourcePost: urn,
    generatedActivity: urn,
    decoratedGeneratedActivity: { share: { entity: urn, owner, text: event.text } },
    lastModifiedAt: Date.parse(event.at),
  };
  notificationsByUrn(world).set(urn, notification);
  // Allows the organization to comment on the post.
  world.comments.set(urn, { ...commentOf(world, event, urn), postId: urn });

  return notification;
}

function keepComment(world: NetworkWorld, event: CustomerEvent): SandboxComment {
  const { userId } = event;
  const postId = event.postId ?? postsOf(world, userId)[0]?.id ?? `urn:li:share:${numericId(19)}`;
  const activity = `urn:li:activity:${postId.split(':').at(-1)}`;
  const id = `urn:li:comment:(${activity},${event.eventId ?? numericId(19)})`;
  const written = world.comments.get(id) ?? { ...commentOf(world, event, id), postId };
  world.comments.set(id, written);

  return written;
}

function commentOf(world: NetworkWorld, event: CustomerEvent, id: string): SandboxComment {
  const { userId } = event;

  return {
    id,
    userId,
    postId: id,
    parentId: null,
    from: event.echo ? { id: userId, name: accountOf(world, userId).name } : event.from,
    text: event.text,
    at: event.at,
    isAnsweredPrivately: false,
  };
}

function personUrn(id: string): string {
  return `urn:li:person:${id}`;
}

function signed(world: NetworkWorld, notification: Notification): CreatedEvent {
  const body = JSON.stringify({
    type: 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS',
    notifications: [{ ...notification, subscriber: 'urn:li:person:subscriber' }],
  });
  const secret = world.app.webhookSecret ?? world.app.clientSecret;
  const signature = createHmac('sha256', secret).update(`hmacsha256=${body}`).digest('hex');

  return {
    eventId: String(notification.notificationId),
    delivery: {
      headers: { 'content-type': 'application/json', 'x-li-signature': signature },
      body,
    },
  };
}

/** Sends a challenge to the callback URL, as LinkedIn does every two hours. */
export async function performHandshake(
  world: NetworkWorld,
  callbackUrl: string,
): Promise<HandshakeOutcome> {
  const { url, code } = challengeUrl(world, callbackUrl);
  const { status, body } = await callService(url);

  return { isAccepted: status === 200 && isValidResponse(world, code, body), status, body };
}

/** Creates a challenge and its URL. */
function challengeUrl(world: NetworkWorld, callbackUrl: string) {
  const code = randomUUID();
  const url = new URL(callbackUrl);
  url.searchParams.set('challengeCode', code);
  url.searchParams.set('applicationId', world.app.clientId);

  return { url: url.toString(), code };
}

function isValidResponse(world: NetworkWorld, code: string, body: string): boolean {
  const answer = parseJson(body) as
    | { readonly challengeCode?: string; readonly challengeResponse?: string }
    | undefined;
  const expected = createHmac('sha256', world.app.clientSecret).update(code).digest('hex');

  return answer?.challengeCode === code && answer.challengeResponse === expected;
}
