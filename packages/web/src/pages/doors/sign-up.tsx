import { useRef } from 'preact/hooks';
import { Link, Redirect, useLocation } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { CardField, type ReadCard } from '../../ui/card-field.tsx';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Door } from './door.tsx';

export function Area() {
  const { user, refresh } = useSession();
  const [, navigate] = useLocation();
  const card = useRef<ReadCard>(async () => '');
  const signingUp = useSend(async (values: Values, options) => {
    const {
      email = '',
      password = '',
      firstName = '',
      lastName = '',
      organizationName = '',
    } = values;
    const paymentMethodId = await card.current(values);
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

    return client.auth.signUp(
      { email, password, firstName, lastName, organizationName, timezone, paymentMethodId },
      options,
    );
  });
  if (user) {
    return <Redirect to="/" replace />;
  }

  return (
    <Door title="Create an account">
      <Form
        sending={signingUp}
        action="Create account"
        onDone={async () => {
          await refresh();
          navigate('/', { replace: true });
        }}
      >
        <div class="columns">
          <Field name="firstName" label="First name" autocomplete="given-name" required />
          <Field name="lastName" label="Last name" autocomplete="family-name" required />
        </div>
        <Field name="email" label="Email" type="email" autocomplete="username" required />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint="At least 8 characters."
          required
        />
        <Field
          name="organizationName"
          label="Organization name"
          autocomplete="organization"
          required
        />
        <CardField reader={card} />
      </Form>
      <p class="links">
        <Link href="/sign-in">Sign in instead</Link>
      </p>
    </Door>
  );
}
