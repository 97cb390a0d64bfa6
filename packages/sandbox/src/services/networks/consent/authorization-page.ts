import { pageAnswer } from '../../../frame/document.ts';
import { type Html, html } from '../../../frame/html.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import { issueCode, peopleOf, requirePerson } from './consent-state.ts';

/** An app that may ask for consent. */
export type ConsentClient = {
  readonly clientId: string;
  readonly needsPkce: boolean;
  /** The scopes that the app may request. */
  readonly scopes: readonly string[];
};

/** The differences between the networks' authorization pages. */
export type ConsentRules = {
  readonly networkName: string;
  /** The parameter with the app's id. */
  readonly clientParameter: 'client_id' | 'client_key';
  readonly clients: (world: NetworkWorld) => readonly ConsentClient[];
  readonly scopeSeparator: ',' | ' ';
  /** People have pages, organizations or channels in addition to themselves. */
  readonly managesAccounts: boolean;
  /** Parameters of the redirect after a denial, without the state. */
  readonly denial: Readonly<Record<string, string>>;
  /** The parameter of the redirect with the granted scopes, if there is one. */
  readonly grantedParameter?: string;
};

type Consent = {
  readonly client: ConsentClient;
  readonly redirectUri: string;
  readonly state: string;
  readonly scopes: readonly string[];
};

/**
 * Answers the network's authorization page. `sandbox=allow` and `sandbox=deny` answer it without a
 * click, as the person `sandbox_person` or as a new person. The sandbox answers a request that the
 * network would not trust with an error page, never with a redirect.
 */
export function authorize(call: NetworkCall, rules: ConsentRules): SandboxAnswer {
  const { world, request } = call;
  const consent = readConsent(call, rules);
  if (typeof consent === 'string') {
    return refusalPage(rules, consent);
  }
  const decision = request.query.get('sandbox');
  if (decision === 'deny') {
    return redirect(consent, rules.denial);
  }
  if (decision !== 'allow') {
    return choicePage(call, rules, consent);
  }
  const { client, redirectUri, scopes } = consent;
  const personId = request.query.get('sandbox_person') || undefined;
  const person = requirePerson(world, personId, rules.managesAccounts);
  const granted = scopes.filter((scope) => person.scopes?.includes(scope) ?? true);
  const code = issueCode(world, {
    clientId: client.clientId,
    redirectUri,
    codeChallenge: request.query.get('code_challenge') ?? undefined,
    person,
    scopes: granted,
    isOffline: request.query.get('access_type') === 'offline' && asksAgain(request.query),
  });
  const { grantedParameter } = rules;

  return redirect(consent, {
    code,
    ...(grantedParameter ? { [grantedParameter]: granted.join(rules.scopeSeparator) } : {}),
  });
}

function asksAgain(query: URLSearchParams): boolean {
  return (query.get('prompt') ?? '').split(' ').includes('consent');
}

/** Returns the requested consent, or the reason why the network rejects the request. */
function readConsent({ world, request }: NetworkCall, rules: ConsentRules): Consent | string {
  const { query } = request;
  const clientId = query.get(rules.clientParameter);
  const client = rules.clients(world).find((one) => one.clientId === clientId);
  const redirectUri = query.get('redirect_uri') ?? '';
  const state = query.get('state') ?? '';
  const scopes = (query.get('scope') ?? '').split(rules.scopeSeparator).filter(Boolean);
  const platform = world.platform.toLowerCase();

  if (client === undefined) {
    return `${rules.clientParameter} is not the id of a known app`;
  }
  const { needsPkce, scopes: known } = client;
  const unknown = scopes.find((scope) => !known.includes(scope));
  const problems: readonly (readonly [boolean, string])[] = [
    [
      redirectUri !== `${world.serviceUrl()}/social/oauth/${platform}/callback`,
      'redirect_uri is not registered for this app',
    ],
    [state === '', 'state is missing'],
    [query.get('response_type') !== 'code', 'response_type must be code'],
    [scopes.length === 0, 'scope is missing'],
    [unknown !== undefined, `scope ${unknown} is unknown, or not available to this app`],
    [
      needsPkce && !isChallenge(query.get('code_challenge')),
      'code_challenge is missing or invalid',
    ],
    [
      needsPkce && query.get('code_challenge_method') !== 'S256',
      'code_challenge_method must be S256',
    ],
  ];

  return problems.find(([isProblem]) => isProblem)?.[1] ?? { client, redirectUri, state, scopes };
}

/** SHA-256 in base64url without padding. */
function isChallenge(value: string | null): boolean {
  return /^[\w-]{43}$/.test(value ?? '');
}

function redirect(
  { redirectUri, state }: Consent,
  parameters: Readonly<Record<string, string>>,
): SandboxAnswer {
  const location = `${redirectUri}?${new URLSearchParams({ ...parameters, state })}`;

  return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

function refusalPage({ networkName }: ConsentRules, reason: string): SandboxAnswer {
  const body = html`<main id="main" tabindex="-1">
<h1>${networkName} refused the request</h1>
<p>${reason}.</p>
</main>`;

  return { ...pageAnswer({ title: `${networkName}: error`, body }), status: 400 };
}

function choicePage(
  { world, request }: NetworkCall,
  { networkName }: ConsentRules,
  { client, redirectUri, scopes }: Consent,
): SandboxAnswer {
  const kept = [...request.query].filter(
    ([name]) => name !== 'sandbox' && name !== 'sandbox_person',
  );
  const chosen = request.query.get('sandbox_person');
  const body = html`<main id="main" tabindex="-1">
<h1>${networkName}: give consent</h1>
<p>The app <code>${client.clientId}</code> asks for:</p>
<ul>${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>
<form method="get">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><label>Sign in as <select name="sandbox_person">
<option value="">Somebody new</option>
${peopleOf(world).map(({ id, name }) => option(id, name, id === chosen))}
</select></label></p>
<p><button type="submit" name="sandbox" value="allow">Allow</button>
<button type="submit" name="sandbox" value="deny">Deny</button></p>
</form>
</main>`;

  return pageAnswer({
    title: `${networkName}: give consent`,
    body,
    // Browsers also apply this directive to the redirect after a form.
    formTarget: new URL(redirectUri).origin,
  });
}

function option(id: string, name: string, isChosen: boolean): Html {
  return isChosen
    ? html`<option value="${id}" selected>${name}</option>`
    : html`<option value="${id}">${name}</option>`;
}
