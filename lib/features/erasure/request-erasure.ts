import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import { customerOfStandIn } from '#lib/features/leads/placeholder-address.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, create, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { type Erasure, findErasure } from './erasure.ts';
import { customerOf, findContactOf, findConversationsOf } from './find-conversations.ts';
import { type NetworkCustomer, standInOf } from './person-scope.ts';

/**
 * Starts to erase a contact and all data about the person. When this returns, the contact can no
 * longer be read or changed. A worker removes the data.
 *
 * @param actorId the user who requested it; null if the service itself acts.
 * @returns the erasure, or the pending one from an earlier call.
 * @throws 404
 */
export function eraseContact(
  organizationId: string,
  contactId: string,
  actorId: string | null,
  extraWrites: ExtraWrites<Erasure>,
): Promise<Erasure> {
  return retryWhenOvertaken('contact', async () => {
    const [pending, contact] = await Promise.all([
      findPending(organizationId, contactId),
      get<Contact>(leadKeys.contact(organizationId, contactId)),
    ]);
    if (pending) {
      await write(...(await extraWrites(pending)));

      return pending;
    }
    if (!contact) {
      throw notFound('Contact');
    }

    return startErasure({ organizationId, contact, actorId, customers: [] }, extraWrites);
  });
}

/**
 * Starts to erase all data of an organization about a person at a network, with or without a lead
 * or contact. If the person is a contact, the contact is erased. Can be repeated.
 *
 * @param actorId the user who requested it; null if the service itself acts.
 * @returns the erasure, or the pending one from an earlier call. `undefined` if the organization
 * has no data about the person.
 */
export function eraseCustomer(
  organizationId: string,
  customer: NetworkCustomer,
  actorId: string | null,
  extraWrites: ExtraWrites<Erasure>,
): Promise<Erasure | undefined> {
  return retryWhenOvertaken('contact', async () => {
    const [pending, conversations] = await Promise.all([
      findPending(organizationId, standInOf(customer)),
      findConversationsOf(organizationId, [customer]),
    ]);
    const contact = await findContactOf(organizationId, customer, conversations);
    const known =
      pending ?? (contact?.erasureId ? await findPending(organizationId, contact.id) : undefined);
    if (known) {
      await write(...(await extraWrites(known)));
    }
    if (known || contact?.erasureId || (!contact && conversations.length === 0)) {
      return known;
    }

    return startErasure({ organizationId, contact, actorId, customers: [customer] }, extraWrites);
  });
}

/**
 * Erases the customer of a conversation, like `eraseCustomer`.
 *
 * @throws 404
 */
export async function eraseCustomerOf(
  organizationId: string,
  conversationId: string,
  actorId: string,
  extraWrites: ExtraWrites<Erasure>,
): Promise<Erasure> {
  const customer = customerOf(await requireConversation(organizationId, conversationId));

  return requireFound(
    await eraseCustomer(organizationId, customer, actorId, extraWrites),
    'Conversation',
  );
}

/** Returns the pending erasure of a contact id, or of a network customer's placeholder address. */
async function findPending(organizationId: string, subject: string): Promise<Erasure | undefined> {
  const claim = await get<{ erasureId: string }>(leadKeys.erasureClaim(organizationId, subject));

  return claim ? findErasure(organizationId, claim.erasureId) : undefined;
}

type Request = {
  readonly organizationId: string;
  readonly contact: Contact | undefined;
  readonly actorId: string | null;
  readonly customers: readonly NetworkCustomer[];
};

/** @throws ConditionNotMetError if the contact has changed, or another erasure has started. */
async function startErasure(
  { organizationId, contact, actorId, customers: named }: Request,
  extraWrites: ExtraWrites<Erasure>,
): Promise<Erasure> {
  const addresses = contact ? addressesOf(contact) : [];
  const customers = [...named, ...addresses.flatMap((address) => customerOfStandIn(address) ?? [])];
  const standIns = named.map(standInOf);
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
    owner: organizationKeys.organization(organizationId),
    payload: { organizationId, erasureId },
    workId: erasureId,
  });
  await write(
    ...(await extraWrites(erasure)),
    ...subjects.map((subject) =>
      create(leadKeys.erasureClaim(organizationId, subject), { erasureId }),
    ),
    create(leadKeys.erasure(organizationId, erasureId), erasure),
    ...(contact
      ? [
          // From now on, nothing can be linked to the contact.
          change(leadKeys.contact(organizationId, contact.id), {
            set: { erasureId, version: contact.version + 1 },
            when: equals('version', contact.version),
          }),
        ]
      : []),
    ...planAudit(organizationId, {
      action: 'contact.erased',
      actorId,
      targetId: contact?.id ?? erasureId,
      details: { erasureId },
    }),
    work,
  );

  return erasure;
}
