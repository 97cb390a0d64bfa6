import { logInWithTwoFactor } from '#lib/features/auth/log-in-with-two-factor.ts';
import { presentSignedIn } from '#lib/features/auth/present.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { readDeviceCookie, signInCookies } from '#lib/platform/http/sign-in-cookies.ts';
import { verifyKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

export const handler = publicEndpoint(contracts.logInWithTwoFactor, async (request) => {
  const { body, clientIp, userAgent, event, reply } = request;
  const device = await verifyKnownDevice(readDeviceCookie(event));
  const origin = { clientIp, userAgent };
  const signedIn = await logInWithTwoFactor(body, origin, device, reply.rateLimits);
  reply.cookies(...(await signInCookies(signedIn.user.userId, signedIn.token, device)));

  return presentSignedIn(signedIn);
});
