import { presentReadContact, requireContact } from '#lib/features/leads/contacts/contacts.ts';
import { mergeContacts } from '#lib/features/leads/merge-contacts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.mergeContacts,
  async ({ organizationId, params, body, idempotently }) => {
    const { contact_id: contactId } = params;
    await idempotently((extraWrites) =>
      mergeContacts(organizationId, contactId, body.duplicateId, extraWrites),
    );
    const contact = await requireContact(organizationId, contactId);

    return { contact: await presentReadContact(contact) };
  },
);
