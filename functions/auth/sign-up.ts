import { signUp as registerWithOrganization } from '#lib/auth/sign-up.ts';
import { authCookie } from '#lib/http/cookies.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { signUp } from '#schemas/auth.ts';

/** Creates the user, the organization and the payment provider's customer, or nothing. */
export const handler = endpoint(signUp, async ({ body, clientIp, userAgent, reply, once }) => {
  const { user, organization, token } = await once((alongside) =>
    registerWithOrganization(body, { clientIp, userAgent }, alongside),
  );
  reply.cookie(authCookie(token));

  return {
    user,
    organization: { ...organization, id: organization.organizationId },
    authToken: token,
    message: 'User registered successfully',
  };
});
