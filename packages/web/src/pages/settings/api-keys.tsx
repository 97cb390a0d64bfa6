import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { type ApiKey, client } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Field, Form, Select, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { roleNames } from './role-names.ts';
import { ShownOnce } from './shown-once.tsx';

export function ApiKeys() {
  const keys = useGet(['settings', 'api-keys'], (organizationId, options) =>
    client.organizations.listApiKeys({ organizationId }, options),
  );

  return (
    <Section
      title="API keys"
      about={
        <>
          Programs use them to act in this organization. The methods are in the{' '}
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>
          .
        </>
      }
    >
      <Create />
      <Loaded of={keys}>
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <Empty title="No API keys yet" />
          ) : (
            <ul class="rows">
              {apiKeys.map((key) => (
                <Key key={key.id} {...key} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Create() {
  const { id: organizationId } = useMembership();
  const [isOpen, setIsOpen] = useState(false);
  const [key, setKey] = useState<string>();
  const creating = useSend(
    ({ name = '', role }: Values, options) =>
      client.organizations.createApiKey(
        { organizationId, name, role: (role ?? 'MEMBER') as ApiKey['role'] },
        options,
      ),
    { changes: ['settings'] },
  );
  if (key !== undefined) {
    return <ShownOnce label="Key" secret={key} onDone={() => setKey(undefined)} />;
  }
  if (!isOpen) {
    return (
      <div class="actions">
        <button type="button" class="button primary" onClick={() => setIsOpen(true)}>
          <Plus aria-hidden="true" />
          Create key
        </button>
      </div>
    );
  }
  const { MEMBER, VIEWER, ADMIN } = roleNames;

  return (
    <Form
      class="card"
      sending={creating}
      action="Create key"
      onDone={({ key: created }) => {
        setKey(created);
        setIsOpen(false);
      }}
      aside={
        <button type="button" class="button" onClick={() => setIsOpen(false)}>
          Cancel
        </button>
      }
    >
      <div class="columns">
        <Field name="name" label="Name" placeholder="Nightly lead sync" required autofocus />
        <Select name="role" label="Role" options={{ MEMBER, VIEWER, ADMIN }} />
      </div>
    </Form>
  );
}

function Key({ id: keyId, name, role, prefix, createdAt, lastUsedAt, expiresAt }: ApiKey) {
  const { id: organizationId } = useMembership();
  const { date, ago } = useFormats();
  const [isRevoking, setIsRevoking] = useState(false);
  const revoking = useSend(() => client.organizations.revokeApiKey({ organizationId, keyId }), {
    changes: ['settings'],
  });

  return (
    <li class="row">
      <div class="row-main">
        <span>{name}</span>
        <span class="quiet small">
          <code>{prefix}…</code> · Created {date(createdAt)} ·{' '}
          {lastUsedAt ? `Last used ${ago(lastUsedAt)}` : 'Never used'}
          {expiresAt && ` · Expires ${date(expiresAt)}`}
        </span>
      </div>
      <span class="badge">{roleNames[role]}</span>
      <button type="button" class="button" onClick={() => setIsRevoking(true)}>
        Revoke<span class="hidden"> {name}</span>
      </button>
      {isRevoking && (
        <Confirm
          title={`Revoke ${name}?`}
          action="Revoke"
          sending={revoking}
          onClose={() => setIsRevoking(false)}
        >
          <p>Programs that use it lose access with their next request.</p>
        </Confirm>
      )}
    </li>
  );
}
