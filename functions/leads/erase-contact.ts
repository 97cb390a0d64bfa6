import { eraseContact } from '#lib/features/erasure/request-erasure.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.eraseContact,
  async ({ organizationId, params, caller, idempotently }) => ({
    erasure: await idempotently((extraWrites) =>
      eraseContact(organizationId, params.contact_id, caller.userId, extraWrites),
    ),
  }),
);
