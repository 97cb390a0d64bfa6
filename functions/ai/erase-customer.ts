import { eraseCustomerOf } from '#lib/features/erasure/request-erasure.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { eraseCustomer } from '#schemas/persons.ts';

export const handler = endpoint(
  eraseCustomer,
  async ({ organizationId, params, caller, idempotently }) => ({
    erasure: await idempotently((extraWrites) =>
      eraseCustomerOf(organizationId, params.conversation_id, caller.userId, extraWrites),
    ),
  }),
);
