import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { lookUpCustomer } from '#lib/features/conversations/inbound/look-up-customer.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { findContactByEmail, updateContact } from './contacts/contacts.ts';
import { contactOf } from './convert-conversation.ts';
import { placeholderAddress } from './placeholder-address.ts';

/** Finds a customer's name, and stores it on the contact without a name. */
export async function nameCustomer(work: WorkRequest<'customerProfile'>): Promise<'done'> {
  const conversation = await lookUpCustomer(work);
  if (conversation) {
    await nameContact(conversation);
  }

  return 'done';
}

async function nameContact(conversation: Conversation): Promise<void> {
  const { organizationId, customer } = conversation;
  const contact = await findContactByEmail(organizationId, placeholderAddress(conversation));
  const nameless = contactOf({ ...conversation, customer: { ...customer, name: '' } });
  if (contact && !contact.erasureId && contact.name === nameless.name) {
    await updateContact(organizationId, contact.id, { name: customer.name });
  }
}
