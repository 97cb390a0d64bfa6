import { endSession } from '#lib/features/auth/sessions.ts';
import { clearedAuthCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { logOut } from '#schemas/auth.ts';

/** All instances reject the session's token from now on. */
export const handler = endpoint(logOut, async ({ caller, reply }) => {
  await endSession(caller.userId, caller.sessionId);
  reply.cookies(clearedAuthCookie());
});
