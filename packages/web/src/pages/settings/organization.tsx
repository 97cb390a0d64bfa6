import { useState } from 'preact/hooks';
import { useOrganization, useSend } from '../../frame/data.tsx';
import { useCan, useMembership, useSession } from '../../frame/session.tsx';
import { client, type GetOrganizationResponse } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Checkbox, Field, Form, Select, TextArea, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { Loading } from '../../ui/states.tsx';
import { wordsIn } from '../../ui/words.ts';

type Details = GetOrganizationResponse['organization'];

export function Organization() {
  const { data, isPending } = useOrganization();
  const details = data?.organization;
  const can = useCan();

  return (
    <>
      {isPending && <Loading />}
      {details && can('ADMIN') && (
        <>
          <General {...details} />
          <Conversations {...details} />
        </>
      )}
      {details && !can('ADMIN') && <Facts {...details} />}
      <Leaving />
    </>
  );
}

function Facts({ name, website, description, timezone, memberCount }: Details) {
  const facts = { Name: name, Website: website, Description: description, 'Time zone': timezone };

  return (
    <Section title="General" about="Only owners and admins can change the organization.">
      <dl class="facts">
        {Object.entries({ ...facts, Members: String(memberCount) }).map(
          ([label, fact]) =>
            fact && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{fact}</dd>
              </div>
            ),
        )}
      </dl>
    </Section>
  );
}

function General({ name, website, description, timezone }: Details) {
  const { id: organizationId } = useMembership();
  const { refresh } = useSession();
  const saving = useSend(
    ({ name: newName = '', website: newWebsite, description: about, timezone: zone }: Values) =>
      client.organizations.update({
        organizationId,
        name: newName,
        website: newWebsite || null,
        description: about || null,
        ...(zone && { timezone: zone }),
      }),
    { changes: ['organization'] },
  );

  return (
    <Section title="General">
      <Form sending={saving} action="Save" done="Saved" onDone={refresh}>
        <Field name="name" label="Name" defaultValue={name} required />
        <Field
          name="website"
          label="Website"
          type="url"
          placeholder="https://"
          defaultValue={website ?? ''}
        />
        <TextArea name="description" label="Description" defaultValue={description ?? ''} />
        <Select
          name="timezone"
          label="Time zone"
          value={timezone}
          options={zones(timezone)}
          hint="Decides the days and hours in reports and schedules."
        />
      </Form>
    </Section>
  );
}

function zones(current: string): Readonly<Record<string, string>> {
  const names = new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')]);

  return Object.fromEntries([...names].sort().map((zone) => [zone, zone.replaceAll('_', ' ')]));
}

function Conversations({ settings }: Details) {
  const { id: organizationId } = useMembership();
  const saving = useSend(
    (values: Values) =>
      client.organizations.update({
        organizationId,
        settings: {
          allowMemberInvites: values['settings.allowMemberInvites'] !== undefined,
          aiDisclosure: values['settings.aiDisclosure'] || null,
          optOutWords: wordsIn(values['settings.optOutWords'] ?? ''),
          optOutMessage: values['settings.optOutMessage'] ?? '',
          retentionDays: values['settings.retentionDays']
            ? Number(values['settings.retentionDays'])
            : null,
        },
      }),
    { changes: ['organization'] },
  );

  return (
    <Section title="Conversations and privacy">
      <Form sending={saving} action="Save privacy settings" done="Saved">
        <Field
          name="settings.aiDisclosure"
          label="AI disclosure"
          defaultValue={settings.aiDisclosure ?? ''}
          hint="Ends the agent’s first answer in each conversation. Some countries require it."
        />
        <TextArea
          name="settings.optOutWords"
          label="Opt-out words"
          defaultValue={settings.optOutWords.join(', ')}
          hint="Separated by commas. A private message that is one of these words ends all automatic answers to its sender."
        />
        <Field
          name="settings.optOutMessage"
          label="Opt-out confirmation"
          defaultValue={settings.optOutMessage}
        />
        <Field
          name="settings.retentionDays"
          label="Keep messages for days"
          type="number"
          min="30"
          max="3650"
          defaultValue={settings.retentionDays === null ? '' : String(settings.retentionDays)}
          hint="30 to 3,650. Empty keeps messages and their files without a limit."
        />
        <Checkbox
          name="settings.allowMemberInvites"
          label="Members can invite others as members or viewers"
          defaultChecked={settings.allowMemberInvites}
        />
      </Form>
    </Section>
  );
}

function Leaving() {
  const { id: organizationId, name } = useMembership();
  const { refresh } = useSession();
  const can = useCan();
  const [dialog, setDialog] = useState<'leave' | 'delete'>();
  const close = () => setDialog(undefined);
  const leaving = useSend(async () => {
    await client.organizations.leave({ organizationId });
    await refresh();
  });
  const deleting = useSend(async () => {
    await client.organizations.delete({ organizationId });
    await refresh();
  });

  return (
    <Section title="Leave or delete">
      <div class="actions">
        <button type="button" class="button" onClick={() => setDialog('leave')}>
          Leave organization
        </button>
        {can('OWNER') && (
          <button type="button" class="button danger" onClick={() => setDialog('delete')}>
            Delete organization
          </button>
        )}
      </div>
      {dialog === 'leave' && (
        <Confirm title={`Leave ${name}?`} action="Leave" sending={leaving} onClose={close}>
          <p>Your API keys and connect links of this organization end with your membership.</p>
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm title={`Delete ${name}?`} action="Delete" sending={deleting} onClose={close}>
          <p>
            All members lose access now. Leads, conversations, campaigns and files are deleted. This
            can’t be undone.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
