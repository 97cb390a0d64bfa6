import { signInWithGoogle } from '#lib/features/auth/google-sign-in.ts';
import { presentRegistered, presentSignedIn } from '#lib/features/auth/present.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { readDeviceCookie, signInCookies } from '#lib/platform/http/sign-in-cookies.ts';
import { verifyKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

/** Responds with 200 for a login, or 201 for a signup. */
export const handler = publicEndpoint(contracts.signInWithGoogle, async (request) => {
  const { body, clientIp, userAgent, event, reply } = request;
  const result = await signInWithGoogle(body, { clientIp, userAgent }, reply.rateLimits);
  const device = await verifyKnownDevice(readDeviceCookie(event));
  const { userId, token } = result.isNew
    ? { userId: result.registered.user.id, token: result.registered.token }
    : { userId: result.signedIn.user.userId, token: result.signedIn.token };
  reply.cookies(...(await signInCookies(userId, token, device)));
  if (!result.isNew) {
    return presentSignedIn(result.signedIn);
  }
  reply.created();

  return presentRegistered(result.registered);
});
