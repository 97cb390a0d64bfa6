import { revertEmail } from '#lib/features/accounts/revert-email.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.revertEmail, async ({ body, once }) => {
  await once((alongside) => revertEmail(body.token, alongside));
});
