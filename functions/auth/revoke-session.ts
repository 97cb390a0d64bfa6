import { revokeSession as endSessionOf } from '#lib/auth/sessions.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { revokeSession } from '#schemas/auth.ts';

export const handler = endpoint(revokeSession, async ({ caller, params }) => {
  await endSessionOf(caller.userId, params.session_id);

  return { message: 'Session ended successfully' };
});
