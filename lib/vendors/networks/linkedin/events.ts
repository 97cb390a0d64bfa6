import { now } from '#lib/platform/clock.ts';
import { epochMs } from '#lib/vendors/networks/moments.ts';
import type {
  Credentials,
  Headers,
  NormalisedEvent,
  RawReply,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { challengeCode } from '#schemas/webhook-challenges.ts';
import * as z from '#schemas/zod.ts';
import {
  authorIdOf,
  callLinkedIn,
  organizationIdOf,
  organizationUrn,
  restli,
  restliList,
} from './call.ts';
import { listOrganizations } from './tokens.ts';

const signaturePrefix = 'hmacsha256=';
const eventType = 'ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS';
const pageSize = 100;
/** What one look may find at most; the next look goes on from there. */
const maxPages = 10;
/** The payload names nobody: names of members are not to be had without their consent. */
const memberName = 'LinkedIn member';

const activity = z.object({
  entity: z.string().optional(),
  owner: z.string().optional(),
  text: z.string().optional(),
  message: z.object({ text: z.string().optional() }).optional(),
});
/** From a third party and from memory: to be checked with a real app before going live. */
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
const notificationPage = z.object({ elements: z.array(z.unknown()) });

export async function subscribe(credentials: Credentials, callbackUrl: string): Promise<void> {
  await callLinkedIn(credentials, {
    method: 'PUT',
    path: await subscriptionPath(credentials),
    json: { webhook: callbackUrl },
    isHarmless: true,
  });
}

/** May be repeated: what is gone is gone. */
export async function unsubscribe(credentials: Credentials): Promise<void> {
  try {
    await callLinkedIn(credentials, {
      method: 'DELETE',
      path: await subscriptionPath(credentials),
      isHarmless: true,
    });
  } catch (failure) {
    if (!(failure instanceof NetworkError && failure.kind === 'notFound')) {
      throw failure;
    }
  }
}

/**
 * Signs the challenge that LinkedIn repeats every two hours; three misses block the callback. The
 * same key signs deliveries, so anything but a UUID is rejected.
 */
export async function answerChallenge(
  query: Readonly<Record<string, string | undefined>>,
): Promise<RawReply | undefined> {
  const challenge = challengeCode.safeParse(query.challengeCode);
  if (!challenge.success) {
    return undefined;
  }
  const { clientSecret } = await networkApp('LINKEDIN');
  const challengeResponse = hmacOf(clientSecret, challenge.data).toString('hex');

  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ challengeCode: challenge.data, challengeResponse }),
  };
}

/**
 * The prefix is part of what is signed (from a third party). Whether the header carries it as well
 * is from memory: both are taken.
 */
export async function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  const { clientSecret, webhookSecret } = await networkApp('LINKEDIN');
  const given = headers['x-li-signature']?.replace(signaturePrefix, '');

  return isSignature(given, 'hex', hmacOf(webhookSecret ?? clientSecret, signaturePrefix, rawBody));
}

export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(JSON.parse(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('The delivery has no list of notifications');
  }

  return parsed.data.notifications.flatMap(toEvents);
}

/** The same notifications, asked for: for what was not delivered. */
export async function fetchComments(
  credentials: Credentials,
  since: string,
  beforeCall?: () => Promise<void>,
): Promise<readonly NormalisedEvent[]> {
  const events: NormalisedEvent[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    await beforeCall?.();
    const answer = await callLinkedIn(credentials, {
      method: 'GET',
      path: '/rest/organizationalEntityNotifications',
      query: {
        q: 'criteria',
        actions: restliList(['COMMENT', 'ADMIN_COMMENT', 'SHARE_MENTION']),
        organizationalEntity: restli(organizationUrn(credentials.platformUserId)),
        // The form of the range is from memory: to be checked before going live.
        timeRange: `(start:${Date.parse(since)},end:${now()})`,
        start: page * pageSize,
        count: pageSize,
      },
    });
    const { elements } = readAnswer('LINKEDIN', notificationPage, answer);
    events.push(...elements.flatMap(toEvents));
    if (elements.length < pageSize) {
      break;
    }
  }

  return events
    .filter(({ occurredAt }) => Date.parse(occurredAt) >= Date.parse(since))
    .sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));
}

/** One subscription is of an app, a member and an organization. */
async function subscriptionPath(credentials: Credentials): Promise<string> {
  const [{ appId, clientId }, organizations] = await Promise.all([
    networkApp('LINKEDIN'),
    listOrganizations(credentials),
  ]);
  const own = organizations.find(({ id }) => id === credentials.platformUserId);
  if (!own?.administrator) {
    throw new NetworkError('LINKEDIN', 'scopeMissing', {
      message: 'The member does not administer the organization',
    });
  }
  const parts = {
    developerApplication: `urn:li:developerApplication:${appId ?? clientId}`,
    user: own.administrator,
    entity: organizationUrn(credentials.platformUserId),
    eventType,
  };
  const key = Object.entries(parts).map(([name, value]) => `${name}:${restli(value)}`);

  return `/rest/eventSubscriptions/(${key.join(',')})`;
}

/** Likes, shares and edits are left out, as nothing is answered to them; so is what nobody wrote. */
function toEvents(raw: unknown): readonly NormalisedEvent[] {
  const parsed = notification.safeParse(raw);
  const platformUserId = organizationIdOf(parsed.data?.organizationalEntity ?? '');
  if (!parsed.success || platformUserId === undefined) {
    return [];
  }
  const event = toEvent(parsed.data, platformUserId);

  return event && event.from.id !== '' && event.messageId !== '' ? [event] : [];
}

function toEvent(told: Notification, platformUserId: string): NormalisedEvent | undefined {
  const { comment, share } = told.decoratedGeneratedActivity ?? {};
  switch (told.action) {
    case 'COMMENT':
    case 'ADMIN_COMMENT':
      return {
        ...commonOf(told, platformUserId, comment),
        type: 'comment',
        channel: 'COMMENT',
        messageId: comment?.entity ?? told.generatedActivity ?? '',
        ...postOf(told.decoratedSourcePost?.entity ?? told.sourcePost),
      };
    case 'SHARE_MENTION':
      return {
        ...commonOf(told, platformUserId, share),
        type: 'mention',
        channel: 'POST',
        messageId: share?.entity ?? told.generatedActivity ?? '',
        ...postOf(share?.entity ?? told.generatedActivity),
      };
    default:
      return undefined;
  }
}

function postOf(urn: string | undefined): { readonly platformPostId?: string } {
  return urn === undefined ? {} : { platformPostId: urn };
}

function commonOf(
  told: Notification,
  platformUserId: string,
  written: z.output<typeof activity> | undefined,
) {
  const owner = written?.owner ?? '';
  const isEcho = told.action === 'ADMIN_COMMENT' || owner === told.organizationalEntity;

  return {
    eventId: String(told.notificationId),
    platformUserId,
    from: { id: isEcho ? platformUserId : authorIdOf(owner), name: memberName },
    to: undefined,
    text: written?.text ?? written?.message?.text ?? '',
    isEcho,
    occurredAt: new Date(told.lastModifiedAt ?? now()).toISOString(),
  };
}
