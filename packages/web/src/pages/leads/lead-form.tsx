import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { useMembers } from '../../frame/shared-data.ts';
import { type CustomField, client, type LeadStatus, type Member } from '../../service.ts';
import { Checkbox, Field, Form, Select, TextArea } from '../../ui/form.tsx';
import { type DetailedLead, statusNames } from './lead.ts';

type Edited = {
  readonly value: string;
  readonly status: LeadStatus;
  readonly assignedToId: string;
  readonly notes: string;
  readonly customFields: Readonly<Record<string, string>>;
};

export function LeadForm({ lead }: { readonly lead: DetailedLead }) {
  const can = useCan();

  return can('MEMBER') ? <Loading lead={lead} /> : <ReadOnly lead={lead} />;
}

function Loading({ lead }: { readonly lead: DetailedLead }) {
  const members = useMembers();
  const fields = useGet(['leads', 'fields'], (organizationId, options) =>
    client.leads.listCustomFields({ organizationId }, options),
  );

  return (
    <Loaded of={members}>
      {({ members: all }) => (
        <Loaded of={fields}>
          {({ fields: custom }) => (
            <Fields
              lead={lead}
              members={all}
              custom={custom.filter(({ appliesTo }) => appliesTo === 'LEAD')}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Fields({
  lead,
  members,
  custom,
}: {
  readonly lead: DetailedLead;
  readonly members: readonly Member[];
  readonly custom: readonly CustomField[];
}) {
  const { id: organizationId } = useMembership();
  const stored = editedOf(lead);
  const { value: edited, isChanged, change, forget } = useDraftOf(`lead:${lead.id}`, stored);
  const saving = useSend(
    (_: unknown, options) =>
      client.leads.update(
        { organizationId, leadId: lead.id, ...changesOf(stored, edited, custom) },
        options,
      ),
    { changes: ['leads'] },
  );

  return (
    <Form
      class="card"
      sending={saving}
      action="Save"
      onDone={forget}
      aside={
        isChanged && (
          <button type="button" class="button" onClick={forget}>
            Discard changes
          </button>
        )
      }
    >
      <div class="columns">
        <Field
          name="value"
          label="Value"
          type="number"
          min="0"
          step="0.01"
          inputMode="decimal"
          value={edited.value}
          onInput={({ currentTarget }) => change({ value: currentTarget.value })}
        />
        <Select
          name="status"
          label="Status"
          options={statusNames}
          value={edited.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value as LeadStatus })}
        />
        <Select
          name="assignedToId"
          label="Assigned to"
          options={{ '': 'Nobody', ...namesOf(members) }}
          value={edited.assignedToId}
          onChange={({ currentTarget }) => change({ assignedToId: currentTarget.value })}
        />
      </div>
      {custom.length > 0 && (
        <div class="columns">
          {custom.map((field) => (
            <Custom
              key={field.key}
              field={field}
              value={edited.customFields[field.key] ?? ''}
              onChange={(value) =>
                change({ customFields: { ...edited.customFields, [field.key]: value } })
              }
            />
          ))}
        </div>
      )}
      <TextArea
        name="notes"
        label="Notes"
        rows={4}
        value={edited.notes}
        onInput={({ currentTarget }) => change({ notes: currentTarget.value })}
      />
    </Form>
  );
}

function Custom({
  field: { key, label, type, options },
  value,
  onChange,
}: {
  readonly field: CustomField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const name = `customFields.${key}`;
  if (type === 'SELECT') {
    return (
      <Select
        name={name}
        label={label}
        options={{ '': '–', ...Object.fromEntries((options ?? []).map((one) => [one, one])) }}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  if (type === 'BOOLEAN') {
    return (
      <Checkbox
        name={name}
        label={label}
        checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    );
  }

  return (
    <Field
      name={name}
      label={label}
      type={{ TEXT: 'text', NUMBER: 'number', DATE: 'date' }[type]}
      {...(type === 'NUMBER' ? { step: 'any' } : {})}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function namesOf(members: readonly Member[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    members.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]),
  );
}

function editedOf({ value, status, assignedToId, notes, customFields }: DetailedLead): Edited {
  return {
    value: value === null ? '' : String(value / 100),
    status,
    assignedToId: assignedToId ?? '',
    notes: notes ?? '',
    customFields: Object.fromEntries(
      Object.entries(customFields).map(([key, field]) => [key, String(field ?? '')]),
    ),
  };
}

/** Sends only changed fields, so that concurrent changes of other fields are kept. */
function changesOf(stored: Edited, edited: Edited, custom: readonly CustomField[]) {
  const changed = custom.filter(
    ({ key }) => (stored.customFields[key] ?? '') !== (edited.customFields[key] ?? ''),
  );

  return {
    ...(stored.value === edited.value
      ? {}
      : { value: edited.value === '' ? null : Math.round(Number(edited.value) * 100) }),
    ...(stored.status === edited.status ? {} : { status: edited.status }),
    ...(stored.assignedToId === edited.assignedToId
      ? {}
      : { assignedToId: edited.assignedToId || null }),
    ...(stored.notes === edited.notes ? {} : { notes: edited.notes || null }),
    ...(changed.length === 0
      ? {}
      : {
          customFields: Object.fromEntries(
            changed.map((field) => [field.key, typed(field, edited.customFields[field.key] ?? '')]),
          ),
        }),
  };
}

function typed({ type }: CustomField, value: string): string | number | boolean | null {
  if (value === '') {
    return null;
  }

  return type === 'NUMBER' ? Number(value) : type === 'BOOLEAN' ? value === 'true' : value;
}

function ReadOnly({ lead }: { readonly lead: DetailedLead }) {
  const { units } = useFormats();
  const facts: Readonly<Record<string, string>> = {
    Value: lead.value === null ? '' : units(lead.value),
    ...editedOf(lead).customFields,
    Notes: lead.notes ?? '',
  };

  return (
    <dl class="card pairs">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
