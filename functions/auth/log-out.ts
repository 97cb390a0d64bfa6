import { endSession } from '#lib/features/accounts/sessions.ts';
import { clearedAuthCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { logOut } from '#schemas/auth.ts';

/** From here on the session's token is refused by every instance. */
export const handler = endpoint(logOut, async ({ caller, reply }) => {
  await endSession(caller.userId, caller.sessionId);
  reply.cookie(clearedAuthCookie());

  return { message: 'Logged out successfully' };
});
