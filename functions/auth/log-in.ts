import { logIn } from '#lib/features/accounts/log-in.ts';
import { presentUser } from '#lib/features/accounts/users/users.ts';
import { presentMembership } from '#lib/features/organizations/organizations.ts';
import { authCookie, deviceCookie, readDeviceCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { signKnownDevice, verifyKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

/** An unknown address and a wrong password get the same response in the same time. */
export const handler = endpoint(contracts.logIn, async (request) => {
  const { body, clientIp, userAgent, event, reply } = request;
  const device = await verifyKnownDevice(readDeviceCookie(event));
  const origin = { clientIp, userAgent };
  const { user, organizations, token } = await logIn(body, origin, device, reply.rateLimits);
  reply.cookie(authCookie(token));
  reply.cookie(deviceCookie(await signKnownDevice(user.userId, device)));

  return {
    user: presentUser(user),
    organizations: organizations.map(presentMembership),
    authToken: token,
  };
});
