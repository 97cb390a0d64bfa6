import { deleteContact } from '#lib/features/leads/contacts/delete-contact.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.deleteContact, async ({ organizationId, params }) => {
  await deleteContact(organizationId, params.contact_id);
});
