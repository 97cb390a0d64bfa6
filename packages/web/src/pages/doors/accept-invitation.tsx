import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Loaded, useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client, isNotFound, type LookUpInvitationResponse } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Failed, Failure } from '../../ui/states.tsx';
import { Door, SessionKnown, tokenInAddress } from './door.tsx';
import { GoogleButton } from './google-button.tsx';
import { SignIn } from './sign-in.tsx';

const endings: Readonly<Record<string, string>> = {
  accepted: 'was already accepted',
  declined: 'was declined',
  revoked: 'was withdrawn',
  expired: 'has expired',
};

export function Area() {
  const [token] = useState(tokenInAddress);
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.organizations.lookUpInvitation({ token }, { signal }),
  });
  if (query.data === undefined) {
    return (
      <Door title="Invitation">
        {isNotFound(query.error) ? (
          <p>This link doesn’t work. Ask the person who invited you for a new one.</p>
        ) : (
          <Loaded of={query}>{() => null}</Loaded>
        )}
      </Door>
    );
  }

  return (
    <SessionKnown>
      <Invitation token={token} {...query.data} />
    </SessionKnown>
  );
}

type Shown = LookUpInvitationResponse & { readonly token: string };

function Invitation({ token, invitation, hasAccount }: Shown) {
  const { user, signOut } = useSession();
  const leaving = useSend(signOut);
  const { organization, invitedBy, email, role, status } = invitation;
  const title = `Join ${organization.name}`;
  if (status !== 'pending') {
    return (
      <Door title={title}>
        <p>This invitation {endings[status] ?? 'has ended'}. Ask for a new one.</p>
      </Door>
    );
  }
  if (!user && hasAccount) {
    return <SignIn />;
  }

  return (
    <Door title={title}>
      <p>
        {invitedBy ? `${invitedBy.firstName} ${invitedBy.lastName} invites` : 'You are invited,'}{' '}
        {invitedBy ? 'you ' : ''}as {email}, to work in {organization.name} with the role{' '}
        {role.toLowerCase()}.
      </p>
      {!user && <Join token={token} />}
      {user && user.email !== email && (
        <>
          <Failure
            message={`You are signed in as ${user.email}. Sign out to accept as ${email}.`}
          />
          <button
            type="button"
            class="button block"
            onClick={() => leaving.send().catch(() => undefined)}
          >
            Sign out
          </button>
          <Failed of={leaving} />
        </>
      )}
      {user && user.email === email && <Accept token={token} />}
    </Door>
  );
}

function useEnter() {
  const { refresh } = useSession();
  const [, navigate] = useLocation();

  return async () => {
    await refresh();
    navigate('/', { replace: true });
  };
}

function Accept({ token }: { readonly token: string }) {
  const { switchOrganization } = useSession();
  const enter = useEnter();
  const accepting = useSend(async (_: unknown, options) => {
    const { organization } = await client.organizations.acceptInvitation({ token }, options);
    await switchOrganization(organization.id);
  });

  return (
    <Form sending={accepting} action="Accept invitation" onDone={enter}>
      {null}
    </Form>
  );
}

function Join({ token }: { readonly token: string }) {
  const enter = useEnter();
  const joining = useSend(({ firstName = '', lastName = '', password = '' }: Values, options) =>
    client.organizations.acceptInvitation({ token, firstName, lastName, password }, options),
  );

  return (
    <>
      <Form sending={joining} action="Join" onDone={enter}>
        <div class="columns">
          <Field name="firstName" label="First name" autocomplete="given-name" required />
          <Field name="lastName" label="Last name" autocomplete="family-name" required />
        </div>
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint="At least 8 characters."
          required
        />
      </Form>
      <GoogleButton intent={{ returnTo: '/', invitationToken: token }} />
    </>
  );
}
