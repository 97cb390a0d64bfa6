import { presentRegistered } from '#lib/features/auth/present.ts';
import { signUp } from '#lib/features/auth/sign-up.ts';
import { passwordProblems } from '#lib/features/auth/weak-passwords.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { signInCookies } from '#lib/platform/http/sign-in-cookies.ts';
import * as contracts from '#schemas/auth.ts';

/** Creates the user, the organization and the payment provider's customer, or nothing. */
export const handler = endpoint(
  contracts.signUp,
  async ({ body, clientIp, userAgent, reply, idempotently }) => {
    const registered = await idempotently((extraWrites) =>
      signUp(body, { clientIp, userAgent }, extraWrites),
    );
    reply.cookies(...(await signInCookies(registered.user.id, registered.token)));

    return presentRegistered(registered);
  },
  { rules: ({ body }) => passwordProblems('password', body.password, body) },
);
