import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { client } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Door } from './door.tsx';

export function Area() {
  const [isSent, setIsSent] = useState(false);
  const asking = useSend(({ email = '' }: Values, options) =>
    client.auth.forgotPassword({ email }, options),
  );

  return (
    <Door title="Forgot your password?">
      {isSent ? (
        <p role="status">
          If an account exists for this address, we sent a link to it. The link works for an hour.
        </p>
      ) : (
        <Form sending={asking} action="Send link" onDone={() => setIsSent(true)}>
          <Field
            name="email"
            label="Email"
            type="email"
            autocomplete="username"
            hint="We send a link to this address, to choose a new password."
            required
          />
        </Form>
      )}
      <p class="links">
        <Link href="/sign-in">Back to sign in</Link>
      </p>
    </Door>
  );
}
