import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client, SocialLeadsError } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Door } from './door.tsx';
import { GoogleButton } from './google-button.tsx';
import { TwoFactor } from './two-factor.tsx';

export function SignIn() {
  const { refresh } = useSession();
  const [challengeToken, setChallengeToken] = useState<string>();
  const signingIn = useSend(async ({ email = '', password = '' }: Values) => {
    try {
      await client.auth.logIn({ email, password });
      await refresh();
    } catch (error) {
      const token = challengeOf(error);
      if (token === undefined) {
        throw error;
      }
      setChallengeToken(token);
    }
  });
  if (challengeToken !== undefined) {
    return (
      <TwoFactor challengeToken={challengeToken} onCancel={() => setChallengeToken(undefined)} />
    );
  }

  return (
    <Door title="Sign in">
      <Form sending={signingIn} action="Sign in">
        <Field name="email" label="Email" type="email" autocomplete="username" required />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
        />
      </Form>
      <GoogleButton />
      <p class="links">
        <Link href="/sign-up">Create an account</Link>
        <Link href="/password/forgot">Forgot your password?</Link>
      </p>
    </Door>
  );
}

/** Returns the token to continue with, if the service asks for a second factor. */
export function challengeOf(error: unknown): string | undefined {
  return error instanceof SocialLeadsError && error.code === 'TWO_FACTOR_REQUIRED'
    ? String(error.body.challengeToken)
    : undefined;
}
