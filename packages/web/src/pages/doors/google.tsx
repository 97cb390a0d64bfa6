import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client, SocialLeadsError } from '../../service.ts';
import { CardField, type ReadCard } from '../../ui/card-field.tsx';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Door } from './door.tsx';
import { finishGoogleSignIn } from './google-sign-in.ts';
import { challengeOf } from './sign-in.tsx';
import { TwoFactor } from './two-factor.tsx';

type Step =
  | { readonly kind: 'busy' }
  | { readonly kind: 'code'; readonly challengeToken: string }
  | { readonly kind: 'new' }
  | { readonly kind: 'deletion' }
  | { readonly kind: 'failed'; readonly error?: unknown };

/**
 * The page that Google returns to: signs the person in, or asks a new person for the missing
 * details.
 */
export function Area() {
  const { refresh } = useSession();
  const [, navigate] = useLocation();
  const [step, setStep] = useState<Step>({ kind: 'busy' });
  const answer = useRef<ReturnType<typeof finishGoogleSignIn>>();
  const enter = async () => {
    await refresh();
    navigate(answer.current?.returnTo ?? '/', { replace: true });
  };
  const signIn = async () => {
    const { idToken, invitationToken, deletesAccount } = answer.current ?? {};
    if (idToken === undefined || deletesAccount) {
      setStep({ kind: deletesAccount ? 'deletion' : 'failed' });

      return;
    }
    setStep({ kind: 'busy' });
    try {
      if (invitationToken === undefined) {
        await client.auth.signInWithGoogle({ idToken });
      } else {
        await client.organizations.acceptInvitation({ token: invitationToken, idToken });
      }
      await enter();
    } catch (error) {
      setStep(stepAfter(error));
    }
  };
  useEffect(() => {
    answer.current = finishGoogleSignIn();
    void signIn();
  }, []);

  switch (step.kind) {
    case 'busy':
      return <Loading label="Signing in" />;
    case 'code':
      return (
        <TwoFactor challengeToken={step.challengeToken} onCancel={() => navigate('/sign-in')} />
      );
    case 'new':
      return <NewAccount idToken={answer.current?.idToken ?? ''} onDone={enter} />;
    case 'deletion':
      return <DeleteAccount idToken={answer.current?.idToken ?? ''} />;
    case 'failed':
      return (
        <Door title="Sign in with Google">
          {step.error === undefined ? (
            <Failure message="Google’s answer doesn’t belong to a sign-in of this tab." />
          ) : (
            <Failure error={step.error} onRetry={signIn} />
          )}
          <p class="links">
            <Link href="/sign-in">Start again</Link>
          </p>
        </Door>
      );
  }
}

function stepAfter(error: unknown): Step {
  const challengeToken = challengeOf(error);
  if (challengeToken !== undefined) {
    return { kind: 'code', challengeToken };
  }

  return error instanceof SocialLeadsError && error.code === 'SIGNUP_REQUIRED'
    ? { kind: 'new' }
    : { kind: 'failed', error };
}

function NewAccount({
  idToken,
  onDone,
}: {
  readonly idToken: string;
  readonly onDone: () => Promise<void>;
}) {
  const card = useRef<ReadCard>(async () => '');
  const signingUp = useSend(async (values: Values) =>
    client.auth.signInWithGoogle({
      idToken,
      organizationName: values.organizationName,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      paymentMethodId: await card.current(values),
    }),
  );

  return (
    <Door title="Create an account">
      <p>You are new here. Name your organization, and add a card.</p>
      <Form sending={signingUp} action="Create account" onDone={onDone}>
        <Field
          name="organizationName"
          label="Organization name"
          autocomplete="organization"
          required
        />
        <CardField reader={card} />
      </Form>
    </Door>
  );
}

function DeleteAccount({ idToken }: { readonly idToken: string }) {
  const { user, end } = useSession();
  const [, navigate] = useLocation();
  const deleting = useSend(({ code }: Values) =>
    client.auth.deleteMe({ idToken, ...(code && { code }) }),
  );

  return (
    <Door title="Delete your account?">
      <p>You lose access to all organizations. This can’t be undone.</p>
      <Form
        sending={deleting}
        action="Delete permanently"
        onDone={() => {
          end();
          navigate('/sign-in', { replace: true });
        }}
        aside={
          <Link class="button" href="/settings/security">
            Cancel
          </Link>
        }
      >
        {user?.twoFactorEnabled && (
          <Field name="code" label="Code" autocomplete="one-time-code" required />
        )}
      </Form>
    </Door>
  );
}
