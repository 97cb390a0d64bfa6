import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import { type Contact, findContactByEmail } from '#lib/features/leads/contacts/contacts.ts';
import { customerOfStandIn, placeholderAddress } from '#lib/features/leads/placeholder-address.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type Alongside, change, create, nothingElse, write } from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { type Erasure, findErasure } from './erasure.ts';
import { findConversationsOf } from './find-conversations.ts';
import type { NetworkCustomer } from './place.ts';

/**
 * Starts to erase a contact and everything that the service holds of the person. The contact can no
 * longer be read or changed when this returns. A worker removes the data.
 *
 * @param actorId the user who wants it; null if the service itself acts.
 * @returns the erasure, or the pending one of an earlier call.
 * @throws 404
 */
export function eraseContact(
  organizationId: string,
  contactId: string,
  actorId: string | null,
  alongside: Alongside<Erasure>,
): Promise<Erasure> {
  return retryWhenOvertaken('contact', async () => {
    const [pending, contact] = await Promise.all([
      findPending(organizationId, contactId),
      get<Contact>(keys.contact(organizationId, contactId)),
    ]);
    if (pending) {
      await write(...(await alongside(pending)));

      return pending;
    }
    if (!contact) {
      throw notFound('Contact');
    }

    return startErasure({ organizationId, contact, actorId, customers: [] }, alongside);
  });
}

/**
 * Starts to erase everything that an organization holds of a person at a network, with or without a
 * lead or contact. If the person is a contact, the contact is erased. Can be repeated.
 *
 * @returns the erasure, or `undefined` if the organization holds nothing of the person.
 */
export function eraseCustomer(
  organizationId: string,
  customer: NetworkCustomer,
): Promise<Erasure | undefined> {
  const address = placeholderAddress({
    platform: customer.platform,
    customer: { id: customer.id, name: '' },
  });

  return retryWhenOvertaken('contact', async () => {
    const [pending, known, conversations] = await Promise.all([
      findPending(organizationId, address),
      findContactByEmail(organizationId, address),
      findConversationsOf(organizationId, [customer]),
    ]);
    if (pending) {
      return pending;
    }
    const linkedId = conversations.find(({ contactId }) => contactId !== undefined)?.contactId;
    const contact =
      known ?? (linkedId ? await get<Contact>(keys.contact(organizationId, linkedId)) : undefined);
    if (contact?.erasureId) {
      return findPending(organizationId, contact.id);
    }

    return contact || conversations.length > 0
      ? startErasure({ organizationId, contact, actorId: null, customers: [customer] }, nothingElse)
      : undefined;
  });
}

/** Returns the pending erasure of a contact's id, or of a network customer's stand-in. */
async function findPending(organizationId: string, subject: string): Promise<Erasure | undefined> {
  const claim = await get<{ erasureId: string }>(keys.erasureClaim(organizationId, subject));

  return claim ? findErasure(organizationId, claim.erasureId) : undefined;
}

type Request = {
  readonly organizationId: string;
  readonly contact: Contact | undefined;
  readonly actorId: string | null;
  readonly customers: readonly NetworkCustomer[];
};

/** @throws ConditionNotMetError if the contact changed, or another erasure started. */
async function startErasure(
  { organizationId, contact, actorId, customers: named }: Request,
  alongside: Alongside<Erasure>,
): Promise<Erasure> {
  const addresses = contact ? addressesOf(contact) : [];
  const customers = [...named, ...addresses.flatMap((address) => customerOfStandIn(address) ?? [])];
  const standIns = named.map(({ platform, id }) =>
    placeholderAddress({ platform, customer: { id, name: '' } }),
  );
  const subjects = [...(contact ? [contact.id] : []), ...standIns];
  const erasure: Erasure = {
    id: newId(),
    organizationId,
    ...(contact ? { contactId: contact.id } : {}),
    status: 'PENDING',
    removed: { leads: 0, conversations: 0, messages: 0, files: 0, activities: 0 },
    subjects,
    ...(contact?.formerIds ? { formerIds: contact.formerIds } : {}),
    addresses: [...new Set([...addresses, ...standIns])],
    customers,
    createdAt: timestamp(),
  };
  const { id: erasureId } = erasure;
  const work = planWork('organizationRemoval', {
    owner: keys.organization(organizationId),
    payload: { organizationId, erasureId },
    workId: erasureId,
  });
  await write(
    ...(await alongside(erasure)),
    ...subjects.map((subject) => create(keys.erasureClaim(organizationId, subject), { erasureId })),
    create(keys.erasure(organizationId, erasureId), erasure),
    ...(contact
      ? [
          // From here on, nothing can be linked to the contact.
          change(keys.contact(organizationId, contact.id), {
            set: { erasureId, version: contact.version + 1 },
            when: equals('version', contact.version),
          }),
        ]
      : []),
    ...planAudit(organizationId, {
      action: 'contact.erased',
      actorId,
      targetType: 'contact',
      targetId: contact?.id ?? erasureId,
      details: { erasureId },
    }),
    work,
  );

  return erasure;
}
