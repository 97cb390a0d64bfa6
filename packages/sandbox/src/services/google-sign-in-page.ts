import { pageAnswer } from '../frame/document.ts';
import { html } from '../frame/html.ts';
import type { SandboxAnswer, SandboxRequest, ServiceContext } from '../frame/service.ts';

/** The claims of the ID token, as entered on the page. */
type Claims = {
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly nonce: string;
};

/**
 * Answers Google's sign-in page for the implicit flow, which returns an ID token in the fragment of
 * `redirect_uri`. The sandbox answers a request that Google would not trust with an error page,
 * never with a redirect.
 *
 * https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
 */
export async function answerSignIn(
  { query }: SandboxRequest,
  { googleClientId, serviceUrl }: ServiceContext,
  issueToken: (claims: Claims) => Promise<string>,
): Promise<SandboxAnswer> {
  const redirectUri = query.get('redirect_uri') ?? '';
  const nonce = query.get('nonce') ?? '';
  const scopes = (query.get('scope') ?? '').split(' ');
  const problems: readonly (readonly [boolean, string])[] = [
    [query.get('client_id') !== googleClientId, 'invalid_client: the OAuth client was not found'],
    [redirectUri !== `${serviceUrl()}/app/google`, 'redirect_uri_mismatch'],
    [query.get('response_type') !== 'id_token', 'unsupported_response_type'],
    [!scopes.includes('openid'), 'invalid_scope: openid is missing'],
    [nonce === '', 'invalid_request: nonce is missing'],
  ];
  const problem = problems.find(([isProblem]) => isProblem)?.[1];
  if (problem !== undefined) {
    return refusalPage(problem);
  }
  const email = query.get('sandbox_email');
  if (!email) {
    return choicePage(query, new URL(redirectUri).origin);
  }
  const idToken = await issueToken({
    email,
    givenName: query.get('sandbox_given_name') || 'Grace',
    familyName: query.get('sandbox_family_name') || 'Hopper',
    nonce,
  });
  const fragment = new URLSearchParams({ state: query.get('state') ?? '', id_token: idToken });

  return {
    status: 302,
    headers: { location: `${redirectUri}#${fragment}`, 'cache-control': 'no-store' },
    body: '',
  };
}

function refusalPage(reason: string): SandboxAnswer {
  const body = html`<main id="main" tabindex="-1">
<h1>Google refused the request</h1>
<p>Error 400: ${reason}</p>
</main>`;

  return { ...pageAnswer({ title: 'Google: error', body }), status: 400 };
}

function choicePage(query: URLSearchParams, formTarget: string): SandboxAnswer {
  const kept = [...query].filter(([name]) => !name.startsWith('sandbox_'));
  const body = html`<main id="main" tabindex="-1">
<h1>Google: sign in</h1>
<form method="get">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><label>Email <input type="email" name="sandbox_email" required></label></p>
<p><label>First name <input name="sandbox_given_name" value="Grace"></label></p>
<p><label>Last name <input name="sandbox_family_name" value="Hopper"></label></p>
<p><button type="submit">Continue</button></p>
</form>
</main>`;

  return pageAnswer({ title: 'Google: sign in', body, formTarget });
}
