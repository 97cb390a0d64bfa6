import { resetPassword } from '#lib/features/accounts/password-change.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.resetPassword, async ({ body, once }) => {
  await once((alongside) => resetPassword(body.token, body.newPassword, alongside));
});
