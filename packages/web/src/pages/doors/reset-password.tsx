import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Door, tokenInAddress } from './door.tsx';

export function Area() {
  const { end } = useSession();
  const [token] = useState(tokenInAddress);
  const [isSaved, setIsSaved] = useState(false);
  const saving = useSend(({ newPassword = '' }: Values, options) =>
    client.auth.resetPassword({ token, newPassword }, options),
  );
  if (isSaved) {
    return (
      <Door title="Password saved">
        <p role="status">All sessions have ended. Sign in with the new password.</p>
        <p class="links">
          <Link href="/sign-in">Sign in</Link>
        </p>
      </Door>
    );
  }

  return (
    <Door title="Choose a new password">
      <Form
        sending={saving}
        action="Save password"
        onDone={() => {
          end();
          setIsSaved(true);
        }}
      >
        <Field
          name="newPassword"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="At least 8 characters."
          required
        />
      </Form>
      <p class="links">
        <Link href="/password/forgot">Send a new link</Link>
      </p>
    </Door>
  );
}
