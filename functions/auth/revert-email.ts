import { revertEmail } from '#lib/features/auth/revert-email.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.revertEmail, async ({ body, idempotently }) => {
  await idempotently((extraWrites) => revertEmail(body.token, extraWrites));
});
