import { revokeSession } from '#lib/features/auth/sessions.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.revokeSession, async ({ caller, params }) => {
  await revokeSession(caller.userId, params.session_id);
});
