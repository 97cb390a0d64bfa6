import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { planConversationRemoval } from '#lib/features/conversations/conversations.ts';
import { type Contact, planContactRemoval } from '#lib/features/leads/contacts/contacts.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import { planLeadRemoval } from '#lib/features/leads/remove-lead.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, create, type Write, write } from '#lib/platform/db/write.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import type { Erasure } from './erasure.ts';
import {
  customerOf,
  findConversationsOf,
  findConversationsOfContact,
  findLeadsOf,
} from './find-conversations.ts';
import type { ErasedCounts, NetworkCustomer, PersonRecord } from './person-scope.ts';

/** A removed record. Its partition still contains the record's other items. */
type ErasedRecord = PersonRecord & {
  /** The customer of a conversation. */
  readonly customer?: NetworkCustomer;
};

export function listErasedRecords({
  organizationId,
  id,
}: Erasure): Promise<ReadonlyArray<ErasedRecord & Key>> {
  return query<ErasedRecord>(leadRanges.erasedRecords(organizationId, id));
}

/**
 * Removes the conversations, leads and contact themselves, with their claims, counts and search
 * words, one transaction each. Conversations are removed first: a message that arrives now begins a
 * new conversation. That conversation gets a new lead and contact, because nothing can be linked to
 * this contact.
 */
export async function removeRecords(erasure: Erasure, stopInTime: () => void): Promise<void> {
  await removeConversations(erasure, stopInTime);
  await removeLeads(erasure, stopInTime);
  // Until the last lead was removed, a conversation may have been linked to a lead.
  await removeConversations(erasure, stopInTime);
  await removeContact(erasure);
}

async function removeConversations(erasure: Erasure, stopInTime: () => void): Promise<void> {
  for (;;) {
    const conversations = await findRemaining(erasure);
    if (conversations.length === 0) {
      return;
    }
    for (const { id } of conversations) {
      stopInTime();
      await removeConversation(erasure, id);
    }
  }
}

/** Conversations that are linked to the contact can contain the person's ids at other networks. */
async function findRemaining(erasure: Erasure): Promise<readonly Conversation[]> {
  const { organizationId, contactId, customers = [] } = erasure;
  const [removed, ofContact] = await Promise.all([
    listErasedRecords(erasure),
    contactId ? findLinked(organizationId, contactId) : [],
  ]);
  const known = [
    ...customers,
    ...removed.flatMap(({ customer }) => customer ?? []),
    ...ofContact.map(customerOf),
  ];
  const distinct = [...new Map(known.map((one) => [`${one.platform}#${one.id}`, one])).values()];
  const ofCustomers = await findConversationsOf(organizationId, distinct);

  return [...new Map([...ofContact, ...ofCustomers].map((one) => [one.id, one])).values()];
}

async function findLinked(organizationId: string, contactId: string) {
  return findConversationsOfContact(
    organizationId,
    contactId,
    await findLeadsOf(organizationId, contactId),
  );
}

/** Thrown if a lead was created for a person who had no contact when the erasure started. */
export class ContactFoundError extends Error {
  readonly contactId: string;

  constructor(contactId: string) {
    super('The erased person became a contact');
    this.contactId = contactId;
  }
}

async function removeConversation(erasure: Erasure, conversationId: string): Promise<void> {
  const { organizationId } = erasure;
  await retryWhenOvertaken('conversation', async () => {
    const conversation = await get<Conversation>(
      socialKeys.conversation(organizationId, conversationId),
    );
    if (conversation?.leadContactId && !erasure.contactId) {
      throw new ContactFoundError(conversation.leadContactId);
    }
    if (conversation) {
      const record = {
        kind: 'CONVERSATION',
        id: conversationId,
        customer: customerOf(conversation),
      } as const;
      await write(
        ...planConversationRemoval(conversation),
        ...planErased(erasure, record, { conversations: 1 }),
      );
    }
  });
}

async function removeLeads(erasure: Erasure, stopInTime: () => void): Promise<void> {
  const { organizationId, contactId } = erasure;
  if (!contactId) {
    return;
  }
  for (const { id } of await findLeadsOf(organizationId, contactId)) {
    stopInTime();
    await retryWhenOvertaken('lead', async () => {
      const lead = await get<Lead>(leadKeys.lead(organizationId, id));
      if (lead?.contactId === contactId) {
        await write(
          ...planLeadRemoval(lead),
          ...planErased(erasure, { kind: 'LEAD', id }, { leads: 1 }),
        );
      }
    });
  }
}

/** The event contains only the id, because it must not reveal data that is being erased. */
async function removeContact(erasure: Erasure): Promise<void> {
  const { organizationId, contactId } = erasure;
  if (!contactId) {
    return;
  }
  await retryWhenOvertaken('contact', async () => {
    const contact = await get<Contact>(leadKeys.contact(organizationId, contactId));
    if (contact) {
      const event = await planOrganizationEvent(organizationId, {
        type: 'contact.deleted',
        data: { contactId, contact: null },
      });
      await write(
        ...planContactRemoval(contact),
        ...planErased(erasure, { kind: 'CONTACT', id: contactId }, {}),
        ...event,
      );
    }
  });
}

function planErased(
  { organizationId, id: erasureId }: Erasure,
  record: ErasedRecord,
  counts: Partial<ErasedCounts>,
): readonly Write[] {
  const { kind, id } = record;
  const counted = Object.keys(counts).length > 0;

  return [
    create(leadKeys.erasedRecord(organizationId, erasureId, kind, id), record),
    ...(counted ? [planCounted(organizationId, erasureId, counts)] : []),
  ];
}

function planCounted(
  organizationId: string,
  erasureId: string,
  counts: Partial<ErasedCounts>,
): Write {
  return change(leadKeys.erasure(organizationId, erasureId), {
    add: amountsOf(counts),
    when: equals('status', 'PENDING'),
  });
}

/** Returns the counts as amounts to add to the erasure's attributes. */
export function amountsOf(counts: Partial<ErasedCounts>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(counts).map(([name, amount]) => [`removed.${name}`, amount]),
  );
}
