import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { lookUpCustomer } from '#lib/features/social/conversations/look-up-customer.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { findContactByEmail, updateContact } from './contacts/contacts.ts';
import { placeholderAddress } from './placeholder-address.ts';

/** Looks up a customer's name, and gives it to the contact that has none. */
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
  const isNameless = contact?.name === customer.id && !contact.erasureId;
  if (isNameless && customer.name !== '') {
    await updateContact(organizationId, contact.id, { name: customer.name });
  }
}
