import { Redirect, Route, Switch } from 'wouter-preact';
import { chunk } from './frame/chunk.tsx';
import { Frame } from './frame/frame.tsx';
import { useSession } from './frame/session.tsx';
import { SessionKnown } from './pages/doors/door.tsx';
import { SignIn } from './pages/doors/sign-in.tsx';

/** Pages for people without a session. Each loads when opened, except for the sign-in page. */
const doors = {
  '/sign-up': chunk(() => import('./pages/doors/sign-up.tsx')),
  '/google': chunk(() => import('./pages/doors/google.tsx')),
  '/password/forgot': chunk(() => import('./pages/doors/forgot-password.tsx')),
  '/password/reset': chunk(() => import('./pages/doors/reset-password.tsx')),
  '/email/verify': chunk(() => import('./pages/doors/verify-email.tsx')),
  '/email/revert': chunk(() => import('./pages/doors/revert-email.tsx')),
  '/invitations/accept': chunk(() => import('./pages/doors/accept-invitation.tsx')),
} as const;

export function App() {
  return (
    <Switch>
      {Object.entries(doors).map(([path, Door]) => (
        <Route key={path} path={path}>
          <Door />
        </Route>
      ))}
      <Route path="/sign-in">
        <SignedIn>
          <Redirect to="/" replace />
        </SignedIn>
      </Route>
      <Route>
        <SignedIn>
          <Frame />
        </SignedIn>
      </Route>
    </Switch>
  );
}

/**
 * Asks people to sign in without changing the address. Afterwards, shows the page of that address.
 */
function SignedIn({ children }: { readonly children: preact.ComponentChildren }) {
  const { user } = useSession();

  return <SessionKnown>{user ? children : <SignIn />}</SessionKnown>;
}
