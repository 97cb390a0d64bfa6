import { useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { type CreateLeadActivityBody, client, type LeadActivity } from '../../service.ts';
import { Form, Select, TextArea, type Values } from '../../ui/form.tsx';
import type { DetailedLead } from './lead.ts';

const kinds: Readonly<Record<CreateLeadActivityBody['type'], string>> = {
  NOTE: 'Note',
  PHONE_CALL: 'Phone call',
  MEETING: 'Meeting',
  EMAIL_SENT: 'Email sent',
  EMAIL_RECEIVED: 'Email received',
  MESSAGE_SENT: 'Message sent',
  MESSAGE_RECEIVED: 'Message received',
};

const names: Readonly<Record<LeadActivity['type'], string>> = {
  ...kinds,
  STAGE_CHANGED: 'Moved',
  STATUS_CHANGED: 'Status changed',
  ASSIGNED: 'Assigned',
  FORM_SUBMITTED: 'Form submitted',
  LINK_CLICKED: 'Link clicked',
};

export function Activities({ lead }: { readonly lead: DetailedLead }) {
  const can = useCan();
  const { dateTime } = useFormats();

  return (
    <section class="stack" aria-labelledby="lead-activities">
      <h2 id="lead-activities">Activities</h2>
      {can('MEMBER') && <NewActivity leadId={lead.id} />}
      {lead.activities.length === 0 && <p class="quiet">Nothing has happened yet.</p>}
      <ol class="activities">
        {lead.activities.map(({ id, type, description, createdAt }) => (
          <li key={id}>
            <p class="small">
              <strong>{names[type]}</strong>{' '}
              <time class="quiet" dateTime={createdAt}>
                {dateTime(createdAt)}
              </time>
            </p>
            <p class="text">{description}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function NewActivity({ leadId }: { readonly leadId: string }) {
  const { id: organizationId } = useMembership();
  const [text, setText] = useDraft(`activity:${leadId}`);
  const adding = useSend(
    ({ type, description = '' }: Values, options) =>
      client.leads.createActivity(
        {
          organizationId,
          leadId,
          type: type as CreateLeadActivityBody['type'],
          description,
        },
        options,
      ),
    { changes: ['leads'] },
  );

  return (
    <Form sending={adding} action="Add activity" class="minor" onDone={() => setText('')}>
      <Select name="type" label="Kind" options={kinds} />
      <TextArea
        name="description"
        label="What happened"
        rows={2}
        required
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Form>
  );
}
