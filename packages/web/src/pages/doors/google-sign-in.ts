import { settings } from '../../settings.ts';

/** The state of a sign-in with Google during the redirect. */
export type Intent = {
  /** The address below `/app` to return to. */
  readonly returnTo: string;
  readonly invitationToken?: string;
  /** The person signs in to confirm the deletion of their account. */
  readonly deletesAccount?: boolean;
};

type Started = Intent & { readonly state: string; readonly nonce: string };

const storageKey = 'google-sign-in';

/** Redirects to Google, which returns to `/app/google` with an ID token in the fragment. */
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
 * Returns the ID token of the redirect. Undefined if this tab did not start the sign-in, because
 * somebody else may have made the link.
 */
export function finishGoogleSignIn(): (Intent & { readonly idToken: string }) | undefined {
  const answer = new URLSearchParams(location.hash.slice(1));
  const stored = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  // Removes the token from the browser's history.
  history.replaceState(null, '', location.pathname);
  const started = stored ? (JSON.parse(stored) as Started) : undefined;
  const idToken = answer.get('id_token');
  if (!started || !idToken || answer.get('state') !== started.state) {
    return undefined;
  }

  return nonceOf(idToken) === started.nonce ? { ...started, idToken } : undefined;
}

/** The service verifies the token. The page only checks that it answers this tab's request. */
function nonceOf(idToken: string): unknown {
  try {
    const payload = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');

    return JSON.parse(atob(payload)).nonce;
  } catch {
    return undefined;
  }
}
