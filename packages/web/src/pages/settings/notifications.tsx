import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { client, type NotificationSettings } from '../../service.ts';
import { Checkbox, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';

type Kind = keyof NotificationSettings;

const kinds: Readonly<Record<Kind, string>> = {
  handedOver: 'The agent hands a conversation over to people',
  unanswered: 'Customers wait and no agent answers',
  assigned: 'A conversation is assigned to you',
  credits: 'Credits run low',
  postFailed: 'A post could not be published',
  accountInactive: 'A social account must be connected again',
  webhookDisabled: 'A webhook was switched off',
};

export function Notifications() {
  const { id: organizationId, name } = useMembership();
  const chosen = useGet(['settings', 'notifications'], (id, options) =>
    client.organizations.getNotificationSettings({ organizationId: id }, options),
  );
  const saving = useSend(
    (values: Values) =>
      client.organizations.updateNotificationSettings({
        organizationId,
        ...Object.fromEntries(
          Object.keys(kinds).map((kind) => [kind, values[kind] === undefined ? 'OFF' : 'MAIL']),
        ),
      }),
    { changes: ['settings'] },
  );

  return (
    <Section title="Notifications" about={`What we email you about ${name}.`}>
      <Loaded of={chosen}>
        {({ notificationSettings }) => (
          <Form sending={saving} action="Save" done="Saved">
            <fieldset>
              <legend>Email me when</legend>
              {Object.entries(kinds).map(([kind, label]) => (
                <Checkbox
                  key={kind}
                  name={kind}
                  label={label}
                  defaultChecked={notificationSettings[kind as Kind] === 'MAIL'}
                />
              ))}
            </fieldset>
          </Form>
        )}
      </Loaded>
    </Section>
  );
}
