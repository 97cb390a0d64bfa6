import type { Conversation, Message } from '#lib/features/conversations/conversation.ts';
import { planConversationChange } from '#lib/features/conversations/conversations.ts';
import { findConversationOf } from '#lib/features/conversations/messages/messages.ts';
import { answered, withLastMessage } from '#lib/features/conversations/waiting.ts';
import { findOrganization } from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keyedHash } from '#lib/platform/crypto/keyed-hash.ts';
import { equals, present } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, ensure, ensureNot, remove, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { cutText } from '#lib/vendors/networks/cut-text.ts';
import { defaultOptOutMessage } from '#schemas/consent-words.ts';
import { channels } from '#schemas/platforms.ts';
import { canBeConsentWord, consentAskedBy } from './opt-out-words.ts';

/** A customer's opt-out of automatic answers, on all channels of an account. */
export type OptOut = Key & { readonly optedOutAt: string };

type Customer = Pick<Conversation, 'organizationId' | 'socialAccountId'> & {
  readonly customer: Pick<Conversation['customer'], 'id'>;
};

/**
 * The key does not contain the customer's id, so that the opt-out can outlive the customer's
 * erasure.
 */
async function optOutKey({ organizationId, socialAccountId, customer }: Customer): Promise<Key> {
  const hash = await keyedHash('opt-out', socialAccountId, customer.id);

  return socialKeys.optOut(organizationId, socialAccountId, hash);
}

export async function findOptOut(customer: Customer): Promise<OptOut | undefined> {
  return get<OptOut>(await optOutKey(customer));
}

/** Requires that the customer has not opted out. */
export async function planNotOptedOut(
  customer: Customer,
  onConditionFailed: () => Error,
): Promise<Write> {
  return ensureNot(await optOutKey(customer), present('optedOutAt'), onConditionFailed);
}

/** Requires that the opt-out state is the one that the new conversation contains. */
export async function planSameOptOut(
  customer: Customer,
  optOut: OptOut | undefined,
): Promise<Write> {
  const key = await optOutKey(customer);

  return optOut
    ? ensure(key, { when: equals('optedOutAt', optOut.optedOutAt) })
    : ensureNot(key, present('optedOutAt'), () => new ConditionNotMetError(key, undefined));
}

export function withOptOut(conversation: Conversation, optOut: OptOut | undefined): Conversation {
  const { optedOutAt: _, ...customer } = conversation.customer;

  return {
    ...conversation,
    customer: optOut ? { ...customer, optedOutAt: optOut.optedOutAt } : customer,
  };
}

/**
 * The state before a message is recorded: the stored opt-out, and whether the message opts out or
 * in.
 */
export type OptOutState = {
  readonly optOut: OptOut | undefined;
  readonly asked: ReturnType<typeof consentAskedBy>;
  readonly optOutMessage: string;
};

/** Only private messages can opt out or in. */
export async function readOptOut(
  customer: Customer,
  { text, isPrivate }: { readonly text: string; readonly isPrivate: boolean },
): Promise<OptOutState> {
  const [optOut, organization] = await Promise.all([
    findOptOut(customer),
    isPrivate && canBeConsentWord(text) ? findOrganization(customer.organizationId) : undefined,
  ]);
  const { optOutMessage = defaultOptOutMessage } = organization?.settings ?? {};

  return {
    optOut,
    asked: organization && consentAskedBy(text, organization.settings),
    optOutMessage,
  };
}

type OptOutChange = {
  readonly conversation: Conversation;
  readonly writes: readonly Write[];
  /** True if the writes contain a confirmation message, which the caller includes in its count. */
  readonly isConfirmed: boolean;
};

/**
 * Plans the changes of a private message: an opt-out with its confirmation, or the end of an
 * opt-out. The customer's other conversations with the account change in the same transaction. A
 * repeated opt-out changes nothing. An opt-in that was written before the opt-out but arrived later
 * doesn't end it.
 *
 * @param conversation after the message.
 */
export async function planOptOutChange(
  conversation: Conversation,
  message: Message,
  { optOut, asked, optOutMessage }: OptOutState,
): Promise<OptOutChange> {
  if (asked === 'optOut' && !optOut) {
    return planOptOut(conversation, message, optOutMessage);
  }
  if (asked === 'optIn' && optOut && message.createdAt >= optOut.optedOutAt) {
    const ended = optedIn(conversation);

    return {
      conversation: ended,
      writes: [
        remove(optOut, { when: equals('optedOutAt', optOut.optedOutAt) }),
        ...(await planOthers(conversation, optedIn)),
      ],
      isConfirmed: false,
    };
  }

  return { conversation, writes: [], isConfirmed: false };
}

async function planOptOut(
  conversation: Conversation,
  { createdAt: optedOutAt }: Message,
  text: string,
): Promise<OptOutChange> {
  const { organizationId, id: conversationId, controller } = conversation;
  const key = await optOutKey(conversation);
  const optOut = { ...key, optedOutAt };
  const confirmation = confirmationIn(conversation, text);
  const confirmed = withLastMessage(withOptOut(answered(conversation), optOut), confirmation);

  return {
    conversation: controller === 'HUMAN' ? confirmed : { ...confirmed, stopReason: 'OPTED_OUT' },
    writes: [
      create(key, { optedOutAt }),
      create(
        socialKeys.conversationMessage(organizationId, conversationId, confirmation.id),
        confirmation,
      ),
      planWork('reply', {
        owner: socialKeys.conversation(organizationId, conversationId),
        payload: { organizationId, conversationId, messageId: confirmation.id, confirms: 'optOut' },
        workId: confirmation.id,
      }),
      ...(await planOthers(conversation, (other) => withOptOut(other, optOut))),
    ],
    isConfirmed: true,
  };
}

function confirmationIn(
  { id: conversationId, socialAccountId, platform, channel }: Conversation,
  text: string,
): Message {
  return {
    id: newId(),
    conversationId,
    accountId: socialAccountId,
    direction: 'OUT',
    author: 'BOT',
    text: cutText(platform, channel, text),
    status: 'PENDING',
    createdAt: timestamp(),
  };
}

function optedIn(conversation: Conversation): Conversation {
  const { stopReason, ...rest } = withOptOut(conversation, undefined);

  return stopReason === undefined || stopReason === 'OPTED_OUT' ? rest : { ...rest, stopReason };
}

/** Returns the customer's conversations with the account, on all channels. */
export async function listConversationsOf(customer: Customer): Promise<readonly Conversation[]> {
  const found = await Promise.all(channels.map((channel) => findOn(customer, channel)));

  return found.flatMap((conversation) => conversation ?? []);
}

function findOn({ organizationId, socialAccountId, customer }: Customer, channel: string) {
  return findConversationOf(organizationId, socialAccountId, channel, customer.id);
}

/**
 * Requires that no other conversation is created concurrently, because it would miss the change.
 */
async function planOthers(
  conversation: Conversation,
  next: (other: Conversation) => Conversation,
): Promise<readonly Write[]> {
  const { organizationId, socialAccountId, customer } = conversation;
  const planned = await Promise.all(
    channels
      .filter((channel) => channel !== conversation.channel)
      .map(async (channel) => {
        const other = await findOn(conversation, channel);
        const claim = socialKeys.conversationClaim(
          organizationId,
          socialAccountId,
          channel,
          customer.id,
        );
        const onConditionFailed = () => new ConditionNotMetError(claim, undefined);

        return other
          ? planConversationChange(other, { ...next(other), updatedAt: timestamp() })
          : [ensureNot(claim, present('conversationId'), onConditionFailed)];
      }),
  );

  return planned.flat();
}
