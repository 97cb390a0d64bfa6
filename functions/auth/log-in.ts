import { logIn as signIn } from '#lib/auth/log-in.ts';
import { authCookie } from '#lib/http/cookies.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { presentMembership } from '#lib/organizations/organizations.ts';
import { presentUser } from '#lib/users/users.ts';
import { logIn } from '#schemas/auth.ts';

/** An unknown address and a wrong password get the same response in the same time. */
export const handler = endpoint(logIn, async ({ body, clientIp, userAgent, reply }) => {
  const origin = { clientIp, userAgent };
  const { user, organizations, token } = await signIn(body, origin, reply.rateLimits);
  reply.cookie(authCookie(token));

  return {
    user: presentUser(user),
    organizations: organizations.map(presentMembership),
    authToken: token,
    message: 'Login successful',
  };
});
