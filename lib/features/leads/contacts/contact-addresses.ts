import { isStandIn } from '#lib/features/leads/placeholder-address.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { create, discard, type Write } from '#lib/platform/db/write.ts';
import { apiError } from '#lib/platform/errors/failures.ts';

type Addressed = {
  readonly email: string;
  readonly standIns?: readonly string[] | undefined;
};

/**
 * Keeps the merge of two contacts, with their words and claims, below 100 writes per transaction.
 */
export const maxStandIns = 20;

/** Returns all addresses that identify the contact. Each has a claim that points to the contact. */
export function addressesOf({ email, standIns = [] }: Addressed): readonly string[] {
  return [...new Set([email, ...standIns])];
}

/** Returns the contact's latest placeholder addresses, including its own if that is one. */
export function placeholderAddressesOf({ email, standIns = [] }: Addressed): readonly string[] {
  return latest([...standIns, ...(isStandIn(email) ? [email] : [])]);
}

function latest(standIns: readonly string[]): readonly string[] {
  return [...new Set(standIns)].slice(-maxStandIns);
}

/** Returns the placeholder addresses of a contact after merging another contact into it. */
export function joinedStandIns(contact: Addressed, other: Addressed): readonly string[] {
  return latest([...(contact.standIns ?? []), ...placeholderAddressesOf(other)]);
}

export function planAddressClaim(
  organizationId: string,
  contactId: string,
  address: string,
): Write {
  return create(leadKeys.contactEmail(organizationId, address), { contactId }, () =>
    apiError('CONTACT_EXISTS', 'Contact with this email already exists'),
  );
}

export function planAddressesRelease(
  organizationId: string,
  addresses: readonly string[],
): readonly Write[] {
  return addresses.map((address) => discard(leadKeys.contactEmail(organizationId, address)));
}

export function without(
  addresses: readonly string[],
  others: readonly string[],
): readonly string[] {
  return addresses.filter((address) => !others.includes(address));
}
