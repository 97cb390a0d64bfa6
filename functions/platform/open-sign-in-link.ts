import { findSignInLink } from '#lib/features/operators/sign-in-links.ts';
import { linkGonePage, signInPage } from '#lib/features/operators/sign-in-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { openSignInLink } from '#schemas/operators.ts';

export const handler = endpoint(openSignInLink, async ({ params }) => {
  const found = await findSignInLink(params.token);

  return found ? signInPage(found) : linkGonePage();
});
