import { settings } from '../../settings.ts';

/** The state of a sign-in with Google during the redirect. */
export type Intent = {
  /** The address below `/app` to return to. */
  readonly returnTo: string;
  readonly invitationToken?: string;
  /** The person proves who they are, to delete their account. */
  readonly deletesAccount?: boolean;
};

type Started = Intent & { readonly state: string; readonly nonce: string };

const storageKey = 'google-sign-in';

/** Goes to Google, which returns to `/app/google` with an ID token in the fragment. */
export function startGoogleSignIn(intent: Intent): void {
  const { google } = settings;
  if (!google) {
    return;
  }
  const started: Started = { ...intent, state: crypto.randomUUID(), nonce: crypto.randomUUID() };
  sessionStorage.setItem(storageKey, JSON.stringify(started));
  const query = new URLSearchParams({
    client_id: google.clientId,
    redirect_uri: `${location.origin}/app/google`,
    response_type: 'id_token',
    scope: 'openid email profile',
    state: started.state,
    nonce: started.nonce,
    prompt: 'select_account',
  });
  location.assign(`${google.authUrl}?${query}`);
}

/**
 * Returns the ID token of the redirect, or undefined if it does not answer what this tab started:
 * then somebody else may have made the link.
 */
export function finishGoogleSignIn(): (Intent & { readonly idToken: string }) | undefined {
  const answer = new URLSearchParams(location.hash.slice(1));
  const stored = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  // The token does not stay in the history.
  history.replaceState(null, '', location.pathname);
  const started = stored ? (JSON.parse(stored) as Started) : undefined;
  const idToken = answer.get('id_token');
  if (!started || !idToken || answer.get('state') !== started.state) {
    return undefined;
  }

  return nonceOf(idToken) === started.nonce ? { ...started, idToken } : undefined;
}

/** The service verifies the token. Here, it only has to be the answer to our request. */
function nonceOf(idToken: string): unknown {
  try {
    const payload = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');

    return JSON.parse(atob(payload)).nonce;
  } catch {
    return undefined;
  }
}
