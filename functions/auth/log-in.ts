import { logIn } from '#lib/features/accounts/log-in.ts';
import { presentUser } from '#lib/features/accounts/users/users.ts';
import { presentMembership } from '#lib/features/organizations/organizations.ts';
import { authCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/auth.ts';

/** An unknown address and a wrong password get the same response in the same time. */
export const handler = endpoint(contracts.logIn, async ({ body, clientIp, userAgent, reply }) => {
  const origin = { clientIp, userAgent };
  const { user, organizations, token } = await logIn(body, origin, reply.rateLimits);
  reply.cookie(authCookie(token));

  return {
    user: presentUser(user),
    organizations: organizations.map(presentMembership),
    authToken: token,
  };
});
