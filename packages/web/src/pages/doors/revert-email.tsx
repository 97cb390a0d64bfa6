import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Form } from '../../ui/form.tsx';
import { Door, tokenInAddress } from './door.tsx';

export function Area() {
  const { end } = useSession();
  const [token] = useState(tokenInAddress);
  const [isRestored, setIsRestored] = useState(false);
  const restoring = useSend((_: unknown, options) => client.auth.revertEmail({ token }, options));
  if (isRestored) {
    return (
      <Door title="Email restored">
        <p role="status">
          All sessions have ended, and the password no longer works. Choose a new one to sign in.
        </p>
        <p class="links">
          <Link href="/password/forgot">Choose a new password</Link>
        </p>
      </Door>
    );
  }

  return (
    <Door title="Restore your email">
      <p>
        Your account’s address was changed. If that wasn’t you, restore this one. It ends all
        sessions, and you choose a new password.
      </p>
      <Form
        sending={restoring}
        action="Restore this address"
        onDone={() => {
          end();
          setIsRestored(true);
        }}
      >
        {null}
      </Form>
    </Door>
  );
}
