import { now } from '#lib/platform/clock.ts';
import {
  networkId,
  optional,
  optionalId,
  optionalMoment,
  optionalText,
  readableList,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { EventsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { parseWithLongIds } from '#lib/vendors/networks/parse-with-long-ids.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { challengeCode } from '#schemas/webhook-challenges.ts';
import * as z from '#schemas/zod.ts';
import { authorIdOf, organizationIdOf, platform } from './call.ts';
import { partsOfComment } from './comment-urn.ts';

const signaturePrefix = 'hmacsha256=';
/** LinkedIn does not reveal members' names without their consent. */
const memberName = 'LinkedIn member';

const activity = optional(
  z.object({
    entity: optionalId,
    owner: optionalId,
    text: optionalText,
    message: optional(z.object({ text: optionalText })),
  }),
);
/** Unverified: the payload of a notification. See docs/operations.md. */
const notification = z.object({
  notificationId: networkId,
  organizationalEntity: networkId,
  action: z.string(),
  sourcePost: optionalId,
  decoratedSourcePost: optional(z.object({ entity: optionalId })),
  generatedActivity: optionalId,
  decoratedGeneratedActivity: optional(z.object({ comment: activity, share: activity })),
  lastModifiedAt: optionalMoment,
});
type Notification = z.output<typeof notification>;

export const notifications = readableList(platform, notification);
const delivery = z.object({ notifications });

/**
 * Signs the challenge that LinkedIn repeats every two hours; three misses block the callback. The
 * same key signs deliveries, so anything but a UUID is rejected.
 */
export const answerChallenge: EventsApi['answerChallenge'] = async (query) => {
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
};

/**
 * Accepts the signature with and without its prefix in the header. The prefix is also part of the
 * signed text.
 *
 * Unverified: where LinkedIn uses the prefix. See docs/operations.md.
 */
export const verifySignature: EventsApi['verifySignature'] = async (rawBody, headers) => {
  const { clientSecret, webhookSecret } = await networkApp(platform);
  const given = headers['x-li-signature']?.replace(signaturePrefix, '');

  return isSignature(given, 'hex', hmacOf(webhookSecret ?? clientSecret, signaturePrefix, rawBody));
};

export const parseEvents: EventsApi['parseEvents'] = (rawBody) => {
  const parsed = delivery.safeParse(parseWithLongIds(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('The body is not a delivery from LinkedIn');
  }

  return parsed.data.notifications.flatMap(toEvents);
};

/**
 * Ignores likes and reposts, which need no reply, and events without an author or id. A share
 * without a text is a repost. An edit without a text changed something other than the text.
 */
export function toEvents(received: Notification): readonly NormalisedEvent[] {
  const platformUserId = organizationIdOf(received.organizationalEntity);
  if (platformUserId === undefined) {
    return [];
  }
  const event = toEvent(received, platformUserId);

  const isKnown = event && event.messageId !== '' && (event.action || event.from.id !== '');

  return isKnown && !(event.action === 'edit' && event.text === '') ? [event] : [];
}

function toEvent(received: Notification, platformUserId: string): NormalisedEvent | undefined {
  const { comment, share } = received.decoratedGeneratedActivity ?? {};
  switch (received.action) {
    case 'COMMENT':
    case 'ADMIN_COMMENT':
    case 'COMMENT_EDIT':
    case 'COMMENT_DELETE':
      return {
        ...commonFields(received, platformUserId, comment),
        ...actionOf(received.action),
        type: 'comment',
        channel: 'COMMENT',
        messageId: comment?.entity ?? fullUrn(received.generatedActivity),
        ...postOf(received.decoratedSourcePost?.entity ?? received.sourcePost),
      };
    case 'SHARE_MENTION':
      return textOf(share) === ''
        ? undefined
        : {
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

/**
 * LinkedIn omits the prefix of the comment's post here. The event of a deleted comment contains no
 * other id.
 */
function fullUrn(commentUrn = ''): string {
  const { thread, id } = partsOfComment(commentUrn);

  return thread === commentUrn ? commentUrn : `urn:li:comment:(${thread},${id})`;
}

function actionOf(action: string): Pick<NormalisedEvent, 'action'> {
  if (action === 'COMMENT_EDIT') {
    return { action: 'edit' };
  }

  return action === 'COMMENT_DELETE' ? { action: 'withdraw' } : {};
}

function textOf(written: z.output<typeof activity>): string {
  return written?.text ?? written?.message?.text ?? '';
}

function postOf(urn: string | undefined): { readonly platformPostId?: string } {
  return urn === undefined ? {} : { platformPostId: urn };
}

function commonFields(
  received: Notification,
  platformUserId: string,
  written: z.output<typeof activity>,
) {
  const owner = written?.owner ?? '';
  const isEcho = received.action === 'ADMIN_COMMENT' || owner === received.organizationalEntity;

  return {
    eventId: received.notificationId,
    platformUserId,
    from: { id: isEcho ? platformUserId : authorIdOf(owner), name: memberName },
    text: textOf(written),
    isEcho,
    occurredAt: new Date(received.lastModifiedAt ?? now()).toISOString(),
  };
}
