import { presentRegistered } from '#lib/features/accounts/present.ts';
import { signUp } from '#lib/features/accounts/sign-up.ts';
import { authCookie, deviceCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { signKnownDevice } from '#lib/platform/identity/known-device.ts';
import * as contracts from '#schemas/auth.ts';

/** Creates the user, the organization and the payment provider's customer, or nothing. */
export const handler = endpoint(
  contracts.signUp,
  async ({ body, clientIp, userAgent, reply, once }) => {
    const registered = await once((alongside) => signUp(body, { clientIp, userAgent }, alongside));
    reply.cookie(authCookie(registered.token));
    reply.cookie(deviceCookie(await signKnownDevice(registered.user.id, undefined)));

    return presentRegistered(registered);
  },
);
