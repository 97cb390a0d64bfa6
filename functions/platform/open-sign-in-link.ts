import { findSignInLink } from '#lib/features/operators/sign-in-links.ts';
import { linkGonePage, signInPage } from '#lib/features/operators/sign-in-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { openSignInLink } from '#schemas/operators.ts';

export const handler = publicEndpoint(openSignInLink, async ({ params }) => {
  const found = await findSignInLink(params.token);

  return found ? signInPage(found) : linkGonePage();
});
