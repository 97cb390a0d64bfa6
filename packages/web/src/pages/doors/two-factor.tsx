import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Door } from './door.tsx';

export function TwoFactor({
  challengeToken,
  onCancel,
}: {
  readonly challengeToken: string;
  readonly onCancel: () => void;
}) {
  const { refresh } = useSession();
  const verifying = useSend(async ({ code = '' }: Values) => {
    await client.auth.logInWithTwoFactor({ challengeToken, code: code.trim() });
    await refresh();
  });

  return (
    <Door title="Second factor">
      <Form
        sending={verifying}
        action="Verify"
        aside={
          <button type="button" class="button" onClick={onCancel}>
            Start again
          </button>
        }
      >
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          hint="From your authenticator app, or a recovery code."
          required
        />
      </Form>
    </Door>
  );
}
