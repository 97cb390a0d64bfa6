import { signInByLink } from '#lib/features/operators/sign-in-links.ts';
import { refusalPage } from '#lib/features/operators/sign-in-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { signInCookies } from '#lib/platform/http/sign-in-cookies.ts';
import { submitSignInLink } from '#schemas/operators.ts';

export const handler = publicEndpoint(
  submitSignInLink,
  async ({ params, clientIp, userAgent, reply }) => {
    try {
      const { userId, token, location } = await signInByLink(params.token, { clientIp, userAgent });
      reply.cookies(...(await signInCookies(userId, token)));

      return {
        statusCode: 302,
        headers: { location, 'content-type': 'text/html; charset=utf-8' },
        body: '',
      };
    } catch (failure) {
      return refusalPage(failure);
    }
  },
);
