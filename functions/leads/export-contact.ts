import { exportContact } from '#lib/features/erasure/export-person.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/persons.ts';

export const handler = endpoint(contracts.exportContact, ({ organizationId, params, caller }) =>
  exportContact(organizationId, params.contact_id, caller.userId),
);
