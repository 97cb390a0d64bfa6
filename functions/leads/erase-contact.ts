import { eraseContact } from '#lib/features/leads/erasure/request-erasure.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.eraseContact,
  async ({ organizationId, params, caller, once }) => {
    const erasure = await once((alongside) =>
      eraseContact(organizationId, params.contact_id, caller.userId, alongside),
    );

    return { erasure };
  },
);
