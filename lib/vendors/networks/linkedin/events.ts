import { now } from '#lib/platform/clock.ts';
import type {
  ChallengeQuery,
  Credentials,
  Headers,
  NormalisedEvent,
  RawReply,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { ifFound, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { epochMs } from '#lib/vendors/networks/timestamps.ts';
import { challengeCode } from '#schemas/webhook-challenges.ts';
import * as z from '#schemas/zod.ts';
import { requireAppId } from './app-id.ts';
import { authorIdOf, call, organizationIdOf, organizationUrn, platform, restli } from './call.ts';
import { listOrganizations } from './organizations.ts';

const signaturePrefix = 'hmacsha256=';
const eventType = 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS';
/** LinkedIn does not reveal members' names without their consent. */
const memberName = 'LinkedIn member';

const activity = z.object({
  entity: z.string().optional(),
  owner: z.string().optional(),
  text: z.string().optional(),
  message: z.object({ text: z.string().optional() }).optional(),
});
/** Unverified: the payload of a notification. See docs/operations.md. */
const notification = z.object({
  notificationId: z.union([z.number(), z.string()]),
  organizationalEntity: z.string(),
  action: z.string(),
  sourcePost: z.string().optional(),
  decoratedSourcePost: z.object({ entity: z.string().optional() }).optional(),
  generatedActivity: z.string().optional(),
  decoratedGeneratedActivity: z
    .object({ comment: activity.optional(), share: activity.optional() })
    .optional(),
  lastModifiedAt: epochMs.optional(),
});
type Notification = z.output<typeof notification>;

const delivery = z.object({ notifications: z.array(z.unknown()).default([]) });

export async function subscribe(credentials: Credentials, callbackUrl: string): Promise<void> {
  await call(credentials, {
    method: 'PUT',
    path: await subscriptionPath(credentials),
    json: { webhook: callbackUrl },
    isHarmless: true,
  });
}

/** Idempotent: a missing subscription is not an error. */
export async function unsubscribe(credentials: Credentials): Promise<void> {
  const path = await subscriptionPath(credentials);
  await ifFound(call(credentials, { method: 'DELETE', path, isHarmless: true }));
}

/**
 * Signs the challenge that LinkedIn repeats every two hours; three misses block the callback. The
 * same key signs deliveries, so anything but a UUID is rejected.
 */
export async function answerChallenge(query: ChallengeQuery): Promise<RawReply | undefined> {
  const challenge = challengeCode.safeParse(query.challengeCode);
  if (!challenge.success) {
    return undefined;
  }
  const { clientSecret } = await networkApp(platform);
  const challengeResponse = hmacOf(clientSecret, challenge.data).toString('hex');

  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ challengeCode: challenge.data, challengeResponse }),
  };
}

/**
 * Accepts the signature with and without its prefix in the header. The prefix is also part of the
 * signed text.
 *
 * Unverified: where LinkedIn uses the prefix. See docs/operations.md.
 */
export async function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  const { clientSecret, webhookSecret } = await networkApp(platform);
  const given = headers['x-li-signature']?.replace(signaturePrefix, '');

  return isSignature(given, 'hex', hmacOf(webhookSecret ?? clientSecret, signaturePrefix, rawBody));
}

export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(JSON.parse(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('The body is not a delivery from LinkedIn');
  }

  return parsed.data.notifications.flatMap(toEvents);
}

/** A subscription belongs to an app, a member and an organization. */
async function subscriptionPath(credentials: Credentials): Promise<string> {
  const appId = await requireAppId();
  const organizations = await listOrganizations(credentials);
  const own = organizations.find(({ id }) => id === credentials.platformUserId);
  if (!own?.administrator) {
    throw new NetworkError(platform, 'scopeMissing', {
      message: 'The member does not administer the organization',
    });
  }
  const parts = {
    developerApplication: `urn:li:developerApplication:${appId}`,
    user: own.administrator,
    entity: organizationUrn(credentials.platformUserId),
    eventType,
  };
  const key = Object.entries(parts).map(([name, value]) => `${name}:${restli(value)}`);

  return `/rest/eventSubscriptions/(${key.join(',')})`;
}

/** Ignores likes, shares and edits, which need no reply, and events without an author or id. */
export function toEvents(raw: unknown): readonly NormalisedEvent[] {
  const parsed = notification.safeParse(raw);
  const platformUserId = organizationIdOf(parsed.data?.organizationalEntity ?? '');
  if (!parsed.success || platformUserId === undefined) {
    return [];
  }
  const event = toEvent(parsed.data, platformUserId);

  return event && event.from.id !== '' && event.messageId !== '' ? [event] : [];
}

function toEvent(received: Notification, platformUserId: string): NormalisedEvent | undefined {
  const { comment, share } = received.decoratedGeneratedActivity ?? {};
  switch (received.action) {
    case 'COMMENT':
    case 'ADMIN_COMMENT':
      return {
        ...commonFields(received, platformUserId, comment),
        type: 'comment',
        channel: 'COMMENT',
        messageId: comment?.entity ?? received.generatedActivity ?? '',
        ...postOf(received.decoratedSourcePost?.entity ?? received.sourcePost),
      };
    case 'SHARE_MENTION':
      return {
        ...commonFields(received, platformUserId, share),
        type: 'mention',
        channel: 'POST',
        messageId: share?.entity ?? received.generatedActivity ?? '',
        ...postOf(share?.entity ?? received.generatedActivity),
      };
    default:
      return undefined;
  }
}

function postOf(urn: string | undefined): { readonly platformPostId?: string } {
  return urn === undefined ? {} : { platformPostId: urn };
}

function commonFields(
  received: Notification,
  platformUserId: string,
  written: z.output<typeof activity> | undefined,
) {
  const owner = written?.owner ?? '';
  const isEcho = received.action === 'ADMIN_COMMENT' || owner === received.organizationalEntity;

  return {
    eventId: String(received.notificationId),
    platformUserId,
    from: { id: isEcho ? platformUserId : authorIdOf(owner), name: memberName },
    to: undefined,
    text: written?.text ?? written?.message?.text ?? '',
    isEcho,
    occurredAt: new Date(received.lastModifiedAt ?? now()).toISOString(),
  };
}
