import {
  type Contact,
  planContactChange,
  planContactMerge,
  requireContact,
} from '#lib/features/leads/contacts/contacts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type Alongside, applied, change, create, remove, write } from '#lib/platform/db/write.ts';
import { badRequest, notFound } from '#lib/platform/errors/failures.ts';
import { moveActivities } from './activities.ts';
import type { Lead } from './lead.ts';
import { leadChanged } from './lead-events.ts';
import { removeLead } from './leads.ts';

/**
 * Makes one contact of two: the leads of the duplicate go over to the contact, what the contact
 * does not say is taken from the duplicate, as are the addresses that stand for customers of
 * networks, and the duplicate is removed. Each step leaves all claims and counters right, so that it
 * can be stopped anywhere and begun again. The duplicate is removed only when it has no lead left and
 * says nothing new: a lead that somebody else makes of it meanwhile goes over too.
 *
 * @throws 400 where both are the same, 404 for an unknown contact.
 */
export async function mergeContacts(
  organizationId: string,
  contactId: string,
  duplicateId: string,
  alongside: Alongside<void>,
): Promise<void> {
  if (contactId === duplicateId) {
    throw badRequest('duplicateId must be another contact');
  }
  await retryWhenOvertaken('contact', async () => {
    const [contact, duplicate] = await Promise.all([
      requireContact(organizationId, contactId),
      requireContact(organizationId, duplicateId),
    ]);
    const filled = await fillFrom(contact, duplicate);
    const claims = await query<{ leadId: string }>(ranges.leadClaims(organizationId, duplicateId));
    for (const { leadId } of claims) {
      await handOverLead(organizationId, leadId, duplicateId, contactId);
    }
    await write(...(await alongside()), ...planContactMerge(filled, duplicate));
  });
}

/** Name and address are always said; the rest may be missing. */
async function fillFrom(contact: Contact, { phone, company }: Contact): Promise<Contact> {
  const filled = {
    ...(!contact.phone && phone ? { phone } : {}),
    ...(!contact.company && company ? { company } : {}),
  };
  if (Object.keys(filled).length === 0) {
    return contact;
  }
  await write(...planContactChange(contact, filled));

  return applied(contact, { ...filled, version: contact.version + 1 });
}

/** A lead of the duplicate's becomes one of the contact's, or goes into the one that there is. */
async function handOverLead(
  organizationId: string,
  leadId: string,
  duplicateId: string,
  contactId: string,
): Promise<void> {
  await retryWhenOvertaken('lead', async () => {
    const lead = await get<Lead>(keys.lead(organizationId, leadId));
    if (lead?.contactId !== duplicateId) {
      return;
    }
    const claim = await get<{ leadId: string }>(
      keys.leadClaim(organizationId, contactId, lead.pipelineId),
    );
    if (!claim) {
      await giveTo(contactId, lead);

      return;
    }
    await moveActivities(organizationId, leadId, claim.leadId);
    await removeLead(lead, claim.leadId);
  });
}

async function giveTo(contactId: string, lead: Lead): Promise<void> {
  const { organizationId, id, pipelineId, contactId: formerId } = lead;
  const updatedAt = timestamp();
  const told = await leadChanged(lead, { ...lead, contactId, updatedAt });
  await write(
    create(keys.leadClaim(organizationId, contactId, pipelineId), { leadId: id }),
    remove(keys.leadClaim(organizationId, formerId, pipelineId), { when: equals('leadId', id) }),
    change(keys.lead(organizationId, id), {
      set: { contactId, updatedAt },
      when: equals('contactId', formerId),
    }),
    change(keys.contact(organizationId, contactId), {
      add: { leadCount: 1 },
      refused: () => notFound('Contact'),
    }),
    change(keys.contact(organizationId, formerId), { add: { leadCount: -1 } }),
    ...told,
  );
}
