import { revokeSession } from '#lib/auth/sessions.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.revokeSession, async ({ caller, params }) => {
  await revokeSession(caller.userId, params.session_id);

  return { message: 'Session ended successfully' };
});
