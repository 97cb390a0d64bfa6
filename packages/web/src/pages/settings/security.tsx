import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useSession, useUser } from '../../frame/session.tsx';
import { client, type ListSessionsResponse } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { Failed } from '../../ui/states.tsx';
import { startGoogleSignIn } from '../doors/google-sign-in.ts';
import { deviceOf } from './device.ts';
import { TwoFactor } from './two-factor.tsx';

export function Security() {
  const { authProvider } = useUser();

  return (
    <>
      <Profile />
      <Email />
      {authProvider === 'LOCAL' && <Password />}
      <TwoFactor />
      <Sessions />
      <Deletion />
    </>
  );
}

function Profile() {
  const { firstName, lastName } = useUser();
  const { refresh } = useSession();
  const saving = useSend(
    ({ firstName: first = '', lastName: last = '' }: Values) =>
      client.auth.updateMe({ firstName: first, lastName: last }),
    { changes: ['settings'] },
  );

  return (
    <Section title="Your name" about="Colleagues see it.">
      <Form sending={saving} action="Save name" done="Saved" onDone={refresh}>
        <div class="columns">
          <Field
            name="firstName"
            label="First name"
            autocomplete="given-name"
            defaultValue={firstName}
            required
          />
          <Field
            name="lastName"
            label="Last name"
            autocomplete="family-name"
            defaultValue={lastName}
            required
          />
        </div>
      </Form>
    </Section>
  );
}

function Email() {
  const { email, emailVerified, authProvider } = useUser();
  const { refresh } = useSession();
  const changing = useSend(({ email: newEmail = '', currentPassword }: Values) =>
    client.auth.updateMe({ email: newEmail, ...(currentPassword && { currentPassword }) }),
  );
  const verifying = useSend((_: undefined, options) =>
    client.auth.requestEmailVerification({}, options),
  );
  const [isSent, setIsSent] = useState(false);
  const verify = async () => {
    await verifying.send();
    setIsSent(true);
  };

  return (
    <Section title="Your email">
      {!emailVerified && (
        <div class="notice">
          <p>{email} is not verified.</p>
          {isSent ? (
            <p role="status">We sent you a link.</p>
          ) : (
            <button
              type="button"
              class="button"
              onClick={() => void verify().catch(() => undefined)}
            >
              Send verification email
            </button>
          )}
          <Failed of={verifying} onRetry={verify} />
        </div>
      )}
      <Form sending={changing} action="Change email" done="Changed" onDone={refresh}>
        <div class="columns">
          <Field
            name="email"
            label="Email"
            type="email"
            autocomplete="username"
            defaultValue={email}
            required
          />
          {authProvider === 'LOCAL' && (
            <Field
              name="currentPassword"
              label="Confirm with your password"
              type="password"
              autocomplete="current-password"
            />
          )}
        </div>
      </Form>
    </Section>
  );
}

function Password() {
  const changing = useSend(
    ({ currentPassword = '', newPassword = '' }: Values, options) =>
      client.auth.changePassword({ currentPassword, newPassword }, options),
    { changes: ['settings'] },
  );

  return (
    <Section title="Password" about="A change ends your sessions on all other devices.">
      <Form sending={changing} action="Change password" done="Changed" onDone={() => true}>
        <div class="columns">
          <Field
            name="currentPassword"
            label="Current password"
            type="password"
            autocomplete="current-password"
            required
          />
          <Field
            name="newPassword"
            label="New password"
            type="password"
            autocomplete="new-password"
            hint="At least 8 characters."
            required
          />
        </div>
      </Form>
    </Section>
  );
}

function Sessions() {
  const sessions = useGet(['settings', 'sessions'], (_, options) =>
    client.auth.listSessions({}, options),
  );

  return (
    <Section title="Sessions" about="Where you are signed in.">
      <Loaded of={sessions}>
        {({ sessions: all }) => (
          <ul class="rows">
            {all.map((session) => (
              <Session key={session.id} {...session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function Session(session: ListSessionsResponse['sessions'][number]) {
  const { id: sessionId, userAgent, ipAddress, lastActiveAt, current } = session;
  const { ago } = useFormats();
  const device = deviceOf(userAgent);
  const ending = useSend(() => client.auth.revokeSession({ sessionId }), {
    changes: ['settings'],
  });

  return (
    <li class="row">
      <div class="row-main">
        <span>{device}</span>
        <span class="quiet small">
          {ipAddress} · {current ? 'Active now' : `Active ${ago(lastActiveAt)}`}
        </span>
      </div>
      {current ? (
        <span class="badge success">This device</span>
      ) : (
        <button
          type="button"
          class="button"
          onClick={() => void ending.send().catch(() => undefined)}
        >
          End session<span class="hidden"> on {device}</span>
        </button>
      )}
      <Failed of={ending} />
    </li>
  );
}

function Deletion() {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <Section title="Delete your account">
      <p>
        Organizations in which you are the only member are deleted with it. An organization with
        other members first needs another owner.
      </p>
      <div class="actions">
        <button type="button" class="button danger" onClick={() => setIsOpen(true)}>
          Delete account
        </button>
      </div>
      {isOpen && <DeleteAccount onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

function DeleteAccount({ onClose }: { readonly onClose: () => void }) {
  const { authProvider, twoFactorEnabled } = useUser();
  const { end } = useSession();
  const deleting = useSend(({ password, code }: Values) =>
    client.auth.deleteMe({ ...(password && { password }), ...(code && { code }) }),
  );

  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <p>You lose access to all organizations. This can’t be undone.</p>
      {authProvider === 'LOCAL' ? (
        <Form sending={deleting} action="Delete permanently" onDone={end}>
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
          />
          {twoFactorEnabled && (
            <Field name="code" label="Code" autocomplete="one-time-code" required />
          )}
        </Form>
      ) : (
        <div class="actions">
          <button
            type="button"
            class="button danger"
            onClick={() =>
              startGoogleSignIn({ returnTo: '/settings/security', deletesAccount: true })
            }
          >
            Continue with Google
          </button>
        </div>
      )}
    </Dialog>
  );
}
