import { presentContacts } from '#lib/features/leads/contacts/contacts.ts';
import { listContacts } from '#lib/features/leads/contacts/list-contacts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.listContacts, async ({ organizationId, query }) => {
  const { items, pagination } = await listContacts(organizationId, query);

  return { contacts: await presentContacts(organizationId, items), pagination };
});
