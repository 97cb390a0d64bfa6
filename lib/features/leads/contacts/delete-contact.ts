import { fieldsFor } from '#lib/features/leads/custom-values.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { moveConversations } from './contact-conversations.ts';
import { contactEvent, planContactRemoval, requireContact } from './contacts.ts';

/** @throws 404, or 409 if the contact still has leads. */
export async function deleteContact(organizationId: string, contactId: string): Promise<void> {
  await retryWhenOvertaken('contact', async () => {
    const contact = await requireContact(organizationId, contactId);
    if (contact.leadCount > 0) {
      throw stillHasLeads(contact.leadCount);
    }
    const fields = await fieldsFor(organizationId, [contact.customValues]);
    const [event] = await Promise.all([
      planOrganizationEvent(organizationId, contactEvent('contact.deleted', contact, fields)),
      moveConversations(organizationId, contactId),
    ]);
    await write(...planContactRemoval(contact), ...event);
  });
}

function stillHasLeads(leads: number) {
  return apiError('IN_USE', `Contact still has ${leads} ${leads === 1 ? 'lead' : 'leads'}`, {
    fields: { leadCount: leads },
  });
}
