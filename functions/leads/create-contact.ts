import { createContact, presentReadContact } from '#lib/features/leads/contacts/contacts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createContact,
  async ({ organizationId, body, idempotently }) => {
    const contact = await idempotently((extraWrites) =>
      createContact(organizationId, body, extraWrites),
    );

    return { contact: await presentReadContact(contact) };
  },
);
