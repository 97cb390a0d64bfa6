import { MoreHorizontal } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Loaded, useGet, useOrganization, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership, useSession, useUser } from '../../frame/session.tsx';
import { useMembers } from '../../frame/shared-data.ts';
import { client, type Invitation, type Member, type Role } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field, Form, Select, TextArea, type Values } from '../../ui/form.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Section } from '../../ui/section.tsx';
import { Failed } from '../../ui/states.tsx';
import { roleNames } from './role-names.ts';

export function Members() {
  const can = useCan();
  const members = useMembers();

  return (
    <>
      <Invite />
      {can('ADMIN') && <Invitations />}
      <Section title="People">
        <Loaded of={members}>
          {({ members: people }) => (
            <ul class="rows">
              {people.map((member) => (
                <Person key={member.id} {...member} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
    </>
  );
}

/**
 * Returns the roles that a person may assign. Members may assign those that the organization
 * allows.
 */
function useRolesToGive(): readonly Role[] {
  const can = useCan();
  const { data } = useOrganization();
  if (can('ADMIN')) {
    return can('OWNER')
      ? ['MEMBER', 'VIEWER', 'ADMIN', 'OWNER']
      : (['MEMBER', 'VIEWER', 'ADMIN'] as const);
  }

  return can('MEMBER') && data?.organization.settings.allowMemberInvites
    ? ['MEMBER', 'VIEWER']
    : [];
}

function Invite() {
  const { id: organizationId } = useMembership();
  const roles = useRolesToGive();
  const inviting = useSend(
    ({ email = '', role, message }: Values, options) =>
      client.organizations.inviteMember(
        { organizationId, email, role: (role ?? 'MEMBER') as Role, message: message || null },
        options,
      ),
    { changes: ['settings'] },
  );
  if (roles.length === 0) {
    return null;
  }

  return (
    <Section title="Invite a colleague" about="We email a link that works once, for seven days.">
      <Form sending={inviting} action="Send invitation" done="Invitation sent" onDone={() => true}>
        <div class="columns">
          <Field name="email" label="Email" type="email" autocomplete="off" required />
          <Select
            name="role"
            label="Role"
            options={Object.fromEntries(roles.map((role) => [role, roleNames[role]]))}
          />
        </div>
        <TextArea name="message" label="Message (optional)" rows={2} />
      </Form>
    </Section>
  );
}

function Invitations() {
  const invitations = useGet(['settings', 'invitations'], (organizationId, options) =>
    client.organizations.listInvitations({ organizationId }, options),
  );

  return (
    <Loaded of={invitations}>
      {({ invitations: all }) => {
        const open = all.filter(({ status }) => status === 'pending');

        return open.length > 0 ? (
          <Section title="Open invitations">
            <ul class="rows">
              {open.map((invitation) => (
                <OpenInvitation key={invitation.id} {...invitation} />
              ))}
            </ul>
          </Section>
        ) : null;
      }}
    </Loaded>
  );
}

function OpenInvitation({ id: invitationId, email, role, expiresAt }: Invitation) {
  const { id: organizationId } = useMembership();
  const { date } = useFormats();
  const revoking = useSend(
    () => client.organizations.revokeInvitation({ organizationId, invitationId }),
    { changes: ['settings'] },
  );

  return (
    <li class="row">
      <div class="row-main">
        <span>{email}</span>
        <span class="quiet small">Expires {date(expiresAt)}</span>
      </div>
      <span class="badge">{roleNames[role]}</span>
      <button
        type="button"
        class="button"
        onClick={() => void revoking.send().catch(() => undefined)}
      >
        Revoke<span class="hidden"> the invitation of {email}</span>
      </button>
      <Failed of={revoking} />
    </li>
  );
}

function Person(member: Member) {
  const { id: userId, email, firstName, lastName, role } = member;
  const user = useUser();
  const { id: organizationId } = useMembership();
  const { refresh } = useSession();
  const can = useCan();
  const name = `${firstName} ${lastName}`;
  const [isRemoving, setIsRemoving] = useState(false);
  const changing = useSend(
    async (newRole: Role) => {
      await client.organizations.updateMemberRole({ organizationId, userId, role: newRole });
      if (userId === user.id) {
        await refresh();
      }
    },
    { changes: ['settings'] },
  );
  const removing = useSend(() => client.organizations.removeMember({ organizationId, userId }), {
    changes: ['settings'],
  });
  const roles = useRolesToGive();
  // Nobody can change their own role, and only owners can change owners.
  const mayChange = can('ADMIN') && (role !== 'OWNER' || can('OWNER'));

  return (
    <li class="row">
      <Avatar name={name} />
      <div class="row-main">
        <span>
          {name}
          {userId === user.id && <span class="quiet"> (you)</span>}
        </span>
        <span class="quiet small">{email}</span>
      </div>
      <span class="badge">{roleNames[role]}</span>
      {mayChange && (
        <Menu
          label={`Actions for ${name}`}
          class="icon-button"
          button={<MoreHorizontal aria-hidden="true" />}
        >
          {roles
            .filter((other) => other !== role)
            .map((other) => (
              <button
                key={other}
                type="button"
                onClick={() => void changing.send(other).catch(() => undefined)}
              >
                Make {roleNames[other].toLowerCase()}
              </button>
            ))}
          {userId !== user.id && (
            <button type="button" onClick={() => setIsRemoving(true)}>
              Remove
            </button>
          )}
        </Menu>
      )}
      <Failed of={changing} />
      {isRemoving && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove"
          sending={removing}
          onClose={() => setIsRemoving(false)}
        >
          <p>
            Access ends now, and so do the person’s API keys, connect links and invitations.
            Webhooks stay.
          </p>
        </Confirm>
      )}
    </li>
  );
}
