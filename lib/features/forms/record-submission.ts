import { type Activity, planActivity } from '#lib/features/leads/activities.ts';
import { type Contact, findContactByEmail } from '#lib/features/leads/contacts/contacts.ts';
import { createLeadWithContact } from '#lib/features/leads/create-lead.ts';
import { clip, firstCharacters, oneLine } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type ExtraWrites, ensure, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { maxLength } from '#schemas/common.ts';
import type { CheckedForm } from './check-submission.ts';
import { planSubmissionCount } from './form-counters.ts';
import type { FormInput } from './form-inputs.ts';
import type { Form } from './forms.ts';

/** The UTM parameters of the address that a visitor opened. */
export type Utm = Readonly<
  Partial<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string>>
>;

export type Submission = {
  /** Identifies an opened page, so that a page that is sent twice counts once. */
  readonly id: string;
  readonly values: CheckedForm;
  readonly inputs: readonly FormInput[];
  readonly utm: Utm;
};

/** So that 100 activities fit into one response. */
const maxDescription = 2_000;

class SubmissionRecordedError extends Error {}

/**
 * Records a submission once: as an activity of the lead with this email address in the form's
 * pipeline, or of a new lead. The activity, the count and the lead are written together.
 *
 * @throws 503 if concurrent changes persist after retries.
 */
export async function recordSubmission(
  form: Form,
  submission: Submission,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  try {
    await retryWhenOvertaken('lead', () => tryToRecord(form, submission, extraWrites));
  } catch (failure) {
    if (failure instanceof SubmissionRecordedError) {
      return;
    }
    throw failure;
  }
}

/**
 * A concurrent lead or erasure is reported as a conflict, and the next attempt reads it. The sender
 * must not learn that the person is already known.
 */
async function tryToRecord(
  form: Form,
  submission: Submission,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const { organizationId, pipelineId } = form;
  const { email } = submission.values;
  const contact = await findContactByEmail(organizationId, email);
  const lead = contact && (await findLeadOf(contact, pipelineId));
  try {
    await (lead
      ? addToLead(form, submission, lead, extraWrites)
      : createFormLead(form, submission, extraWrites));
  } catch (failure) {
    throw failure instanceof ApiError && failure.kind === 'conflict'
      ? new ConditionNotMetError(leadKeys.contactEmail(organizationId, email), undefined)
      : failure;
  }
}

async function findLeadOf(
  { organizationId, id, erasureId }: Contact,
  pipelineId: string,
): Promise<string | undefined> {
  const claim = await get<{ leadId: string }>(leadKeys.leadClaim(organizationId, id, pipelineId));

  return erasureId ? undefined : claim?.leadId;
}

async function addToLead(
  form: Form,
  submission: Submission,
  leadId: string,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  await write(
    ...(await extraWrites()),
    ensure(leadKeys.lead(form.organizationId, leadId)),
    ...planSubmission(form, submission, leadId),
  );
}

async function createFormLead(
  form: Form,
  submission: Submission,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const { organizationId, name, pipelineId } = form;
  const { values, utm } = submission;
  const { email, phone, company, leadFields, contactFields } = values;
  const person = {
    name: values.name ?? firstCharacters(email, maxLength.name),
    email,
    ...compact({ phone, company }),
    customFields: contactFields,
  };
  const details = {
    pipelineId,
    source: `form:${name}`,
    customFields: leadFields,
    utmSource: utm.source,
    utmMedium: utm.medium,
    utmCampaign: utm.campaign,
  };
  await createLeadWithContact(organizationId, person, details, async ({ lead }) => [
    ...(await extraWrites()),
    ...planSubmission(form, submission, lead.id),
  ]);
}

function planSubmission(form: Form, submission: Submission, leadId: string): readonly Write[] {
  const { organizationId, id } = form;
  const activity = activityOf(form, submission, leadId);

  return [
    {
      ...planActivity(organizationId, activity),
      onConditionFailed: () => new SubmissionRecordedError(),
    },
    planSubmissionCount(organizationId, id, activity.id),
  ];
}

function activityOf(form: Form, { id, values, inputs, utm }: Submission, leadId: string): Activity {
  return {
    id,
    leadId,
    type: 'FORM_SUBMITTED',
    description: describe(form, values, inputs),
    metadata: {
      formId: form.id,
      message: values.message ?? null,
      consentText: form.consentText ?? null,
      utm,
    },
    createdAt: timestamp(),
  };
}

/** Contains the submitted values, because a later submission changes neither lead nor contact. */
function describe({ name }: Form, values: CheckedForm, inputs: readonly FormInput[]): string {
  const { message: _, leadFields, contactFields, ...standard } = values;
  const given: Readonly<Record<string, unknown>> = {
    ...standard,
    ...leadFields,
    ...contactFields,
  };
  const lines = inputs.flatMap(({ key, label }) =>
    given[key] === undefined || given[key] === null
      ? []
      : [`${label}: ${oneLine(String(given[key]))}`],
  );

  return clip([`Submitted the form ${name}`, ...lines].join('\n'), maxDescription);
}
