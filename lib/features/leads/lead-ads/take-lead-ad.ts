import { inboundEventKey } from '#lib/features/conversations/inbound/inbound-event.ts';
import { planActivity } from '#lib/features/leads/activities.ts';
import { findContactByEmail } from '#lib/features/leads/contacts/contacts.ts';
import { createLeadWithContact, leadExists } from '#lib/features/leads/create-lead.ts';
import { listFields } from '#lib/features/leads/custom-field.ts';
import { requirePipelineOrDefault } from '#lib/features/leads/pipelines/pipeline.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { dayMs, hourMs, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, ensure, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { LeadAd } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { type Answers, answersOf, customAnswers, otherAnswers, personOf } from './answers.ts';

type Submission = WorkPayload<'leadAd'>;

const source = 'facebook_lead_ad';
const firstWaitMs = 2 * secondMs;
const longestWaitMs = 6 * hourMs;
/**
 * Meta keeps leads for 90 days. Within a week, somebody can grant a missing permission. Without the
 * permission, Meta reports that the lead does not exist.
 */
const giveUpAfterMs = 7 * dayMs;
const maxDescription = 500;

/** Thrown if the submission already has a lead. */
class AlreadyTakenError extends Error {}

/**
 * Fetches what a person entered into a lead ad, and creates the lead. If the person already has a
 * lead in the default pipeline, adds an activity instead. Idempotent, because the event's claim
 * contains the lead's id.
 */
export async function takeLeadAd({
  payload: submission,
}: Pick<WorkRequest<'leadAd'>, 'payload'>): Promise<WorkOutcome> {
  const { organizationId, accountId, leadAdId } = submission;
  const account = await findSocialAccount(organizationId, accountId);
  if (!account) {
    await write(discard(claimKey(submission)));

    return 'done';
  }
  try {
    const leadAd = await withFreshToken(account, async (credentials) =>
      lookupsOf(account.platform).fetchLeadAd?.(credentials, leadAdId),
    );
    if (leadAd) {
      await record(submission, leadAd);
    }

    return 'done';
  } catch (failure) {
    return afterFailure(submission, failure);
  }
}

/**
 * After the last try, the message goes to the dead-letter queue. The wait equals the time that the
 * submission has already waited, so it doubles.
 */
function afterFailure(submission: Submission, failure: unknown): WorkOutcome {
  if (failure instanceof AlreadyTakenError) {
    return 'done';
  }
  if (!(failure instanceof NetworkError)) {
    throw failure;
  }
  const ageMs = now() - Date.parse(submission.receivedAt);
  if (ageMs > giveUpAfterMs) {
    throw failure;
  }
  const waitMs = Math.min(Math.max(ageMs, firstWaitMs), longestWaitMs);

  return { againInMs: Math.max(waitMs, failure.retryAfterMs ?? 0) };
}

function claimKey({ organizationId, platform, eventId }: Submission) {
  return inboundEventKey(organizationId, platform, eventId);
}

/** Stores the lead's id in the claim of the event, so that the submission counts once. */
function planTaken(submission: Submission, leadId: string): Write {
  return change(claimKey(submission), {
    set: { leadId },
    when: absent('leadId'),
    onConditionFailed: () => new AlreadyTakenError(),
  });
}

async function record(submission: Submission, leadAd: LeadAd): Promise<void> {
  const { organizationId, platform, leadAdId, accountId: socialAccountId } = submission;
  const answers = answersOf(leadAd);
  const [pipeline, fields] = await Promise.all([
    requirePipelineOrDefault(organizationId, undefined),
    listFields(organizationId),
  ]);
  const others = otherAnswers(answers);
  const ofLead = customAnswers(fields, 'LEAD', others);
  const ofContact = customAnswers(fields, 'CONTACT', others);
  const person = { ...personOf(platform, leadAdId, answers), customFields: ofContact };
  const details = {
    pipelineId: pipeline.pipelineId,
    source,
    socialAccountId,
    customFields: ofLead,
  };
  try {
    await createLeadWithContact(organizationId, person, details, async ({ lead, outcome }) => [
      planTaken(submission, lead.id),
      planAnswers(
        submission,
        lead.id,
        leadAd,
        // An existing contact keeps its values, so the new answers are stored here.
        outcome === 'MERGED' ? answers : without(others, { ...ofLead, ...ofContact }),
      ),
    ]);
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.message === leadExists)) {
      throw failure;
    }
    await addToLead(submission, leadAd, {
      email: person.email,
      pipelineId: pipeline.pipelineId,
      answers,
    });
  }
}

function without(answers: Answers, taken: object): Answers {
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => !Object.hasOwn(taken, name)),
  );
}

function planAnswers(
  { organizationId, leadAdId }: Submission,
  leadId: string,
  { adId, formId }: LeadAd,
  answers: Answers,
): Write {
  const shown = Object.entries(answers).map(([name, answer]) => `${name}: ${answer}`);
  const ids = { ...(adId ? { adId } : {}), ...(formId ? { formId } : {}) };

  return planActivity(organizationId, {
    id: newId(),
    leadId,
    type: 'NOTE',
    description: cutToLength(['Submitted a lead ad', ...shown].join('\n'), maxDescription),
    metadata: { leadgenId: leadAdId, ...ids, answers },
    createdAt: timestamp(),
  });
}

type KnownPerson = {
  readonly email: string;
  readonly pipelineId: string;
  readonly answers: Answers;
};

/** If the lead was deleted in the meantime, the work runs again and creates a new one. */
async function addToLead(
  submission: Submission,
  leadAd: LeadAd,
  { email, pipelineId, answers }: KnownPerson,
): Promise<void> {
  const { organizationId } = submission;
  const contact = await findContactByEmail(organizationId, email);
  const claim =
    contact &&
    (await get<{ leadId: string }>(leadKeys.leadClaim(organizationId, contact.id, pipelineId)));
  if (!claim) {
    throw new Error('The lead of a lead ad was deleted in the meantime');
  }
  await write(
    ensure(leadKeys.lead(organizationId, claim.leadId)),
    planTaken(submission, claim.leadId),
    planAnswers(submission, claim.leadId, leadAd, answers),
  );
}
