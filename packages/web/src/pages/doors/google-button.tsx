import { settings } from '../../settings.ts';
import { type Intent, startGoogleSignIn } from './google-sign-in.ts';

/** Hidden if Google sign-in is not configured. */
export function GoogleButton({ intent }: { readonly intent?: Intent }) {
  const returnTo = location.pathname.replace(/^\/app/, '') + location.search;

  return settings.google ? (
    <>
      <p class="or">or</p>
      <button
        type="button"
        class="button block"
        onClick={() => startGoogleSignIn(intent ?? { returnTo })}
      >
        Sign in with Google
      </button>
    </>
  ) : null;
}
