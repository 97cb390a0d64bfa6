import { logIn } from '#lib/auth/log-in.ts';
import { authCookie } from '#lib/http/cookies.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { presentMembership } from '#lib/organizations/organizations.ts';
import { presentUser } from '#lib/users/users.ts';
import * as contracts from '#schemas/auth.ts';

/** An unknown address and a wrong password are answered alike, and take as long. */
export const handler = endpoint(contracts.logIn, async ({ body, clientIp, userAgent, reply }) => {
  const origin = { clientIp, userAgent };
  const { user, organizations, token } = await logIn(body, origin, reply.rateLimits);
  reply.cookie(authCookie(token));

  return {
    user: presentUser(user),
    organizations: organizations.map(presentMembership),
    authToken: token,
    message: 'Login successful',
  };
});
