import { logInWithTwoFactor } from '#lib/features/accounts/log-in-with-two-factor.ts';
import { presentSignedIn } from '#lib/features/accounts/present.ts';
import { authCookie, deviceCookie, readDeviceCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { signKnownDevice, verifyKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = endpoint(contracts.logInWithTwoFactor, async (request) => {
  const { body, clientIp, userAgent, event, reply } = request;
  const device = await verifyKnownDevice(readDeviceCookie(event));
  const origin = { clientIp, userAgent };
  const signedIn = await logInWithTwoFactor(body, origin, device, reply.rateLimits);
  reply.cookie(authCookie(signedIn.token));
  reply.cookie(deviceCookie(await signKnownDevice(signedIn.user.userId, device)));

  return presentSignedIn(signedIn);
});
