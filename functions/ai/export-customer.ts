import { exportCustomer } from '#lib/features/erasure/export-person.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/persons.ts';

export const handler = endpoint(contracts.exportCustomer, ({ organizationId, params, caller }) =>
  exportCustomer(organizationId, params.conversation_id, caller.userId),
);
