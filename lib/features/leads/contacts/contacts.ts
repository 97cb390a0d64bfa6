import { domainToUnicode } from 'node:url';
import type { CustomField } from '#lib/features/leads/custom-field.ts';
import {
  type CustomValues,
  fieldsFor,
  mergedValues,
  presentValues,
} from '#lib/features/leads/custom-values.ts';
import { counterShards } from '#lib/features/leads/lead-counters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { absent, allOf, either, equals } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { type ListShard, listOf, shardOf } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  count,
  create,
  discard,
  type ExtraWrites,
  put,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  type OrganizationEvent,
  planOrganizationEvent,
} from '#lib/platform/webhooks/organization-events.ts';
import { wordsOf } from '#lib/platform/words.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import {
  addressesOf,
  joinedStandIns,
  placeholderAddressesOf,
  planAddressClaim,
  planAddressesRelease,
  without,
} from './contact-addresses.ts';

const wordsPerContact = 20;
const maxWordLength = 40;

export type Contact = {
  readonly id: string;
  readonly organizationId: string;
  readonly list: ListShard<'contact'>;
  readonly name: string;
  readonly email: string;
  /**
   * Placeholder addresses for social network users that the contact had before, or got in a merge.
   */
  readonly standIns?: readonly string[];
  /** The ids of contacts that were merged into this one. Older deliveries contain these ids. */
  readonly formerIds?: readonly string[];
  readonly phone?: string;
  readonly company?: string;
  /** Without duplicates. Absent in contacts that are older than tags. */
  readonly tags?: readonly string[];
  readonly customValues?: CustomValues;
  /** Number of leads of this contact. It can be deleted only when this is 0. */
  readonly leadCount: number;
  /**
   * Set while the contact is being erased. It then counts as deleted, and nothing can be linked to
   * it.
   */
  readonly erasureId?: string;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ContactDetails = BodyOf<typeof contracts.createContact>;

type NewContactOptions = {
  readonly fields: readonly CustomField[];
  /** The path of the contact in the request, for error messages. */
  readonly path: string;
  readonly leadCount: number;
};

/**
 * Returns a new contact and the writes that create it: the record, claim, search words and count.
 */
export function planContact(
  organizationId: string,
  { customFields, ...details }: ContactDetails,
  { fields, path, leadCount }: NewContactOptions,
): { readonly contact: Contact; readonly writes: readonly Write[] } {
  const id = newId();
  const now = timestamp();
  const customValues = mergedValues(fields, 'CONTACT', customFields, { path });
  const contact = {
    ...details,
    tags: [...new Set(details.tags)],
    ...(customValues ? { customValues } : {}),
    id,
    organizationId,
    list: listOf('contact', id),
    leadCount,
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as Contact;

  return {
    contact,
    writes: [
      planAddressClaim(organizationId, id, details.email),
      create(leadKeys.contact(organizationId, id), contact),
      count(leadKeys.contactCounter(organizationId, shardOf(id, counterShards)), { total: 1 }),
      ...planWordsChange(organizationId, id, [], searchWords(details)),
    ],
  };
}

function planWordsChange(
  organizationId: string,
  contactId: string,
  before: readonly string[],
  after: readonly string[],
): readonly Write[] {
  const keyOf = (word: string) => leadKeys.contactWord(organizationId, word, contactId);

  return [
    ...before.filter((word) => !after.includes(word)).map((word) => discard(keyOf(word))),
    ...after
      .filter((word) => !before.includes(word))
      .map((word) => put(keyOf(word), { contactId })),
  ];
}

/** Returns the contact in the API's format. */
function presentContact(contact: Contact, fields: readonly CustomField[]) {
  const { tags = [], customValues } = contact;

  return { ...contact, tags, customFields: presentValues(fields, 'CONTACT', customValues) };
}

/** Returns contacts in the API's format. Reads the custom fields if any contact has values. */
export async function presentContacts(organizationId: string, contacts: readonly Contact[]) {
  const values = contacts.map(({ customValues }) => customValues);
  const fields = await fieldsFor(organizationId, values);

  return contacts.map((contact) => presentContact(contact, fields));
}

/** The same, for one contact. */
export async function presentReadContact(contact: Contact) {
  return presentContact(contact, await fieldsFor(contact.organizationId, [contact.customValues]));
}

/** Returns an event of a contact for the webhooks of the organization. */
export function contactEvent(
  type: 'contact.created' | 'contact.updated' | 'contact.deleted',
  contact: Contact,
  fields: readonly CustomField[],
): OrganizationEvent {
  return { type, data: { contactId: contact.id, contact: presentContact(contact, fields) } };
}

/** @throws 409 if another contact of the organization has the email address. */
export async function createContact(
  organizationId: string,
  details: ContactDetails,
  extraWrites: ExtraWrites<Contact>,
): Promise<Contact> {
  const fields = await fieldsFor(organizationId, [details.customFields]);
  const { contact, writes } = planContact(organizationId, details, {
    fields,
    path: '',
    leadCount: 0,
  });
  const event = await planOrganizationEvent(
    organizationId,
    contactEvent('contact.created', contact, fields),
  );
  await write(...(await extraWrites(contact)), ...writes, ...event);

  return contact;
}

/** @throws 404, also while the contact is being erased. */
export async function requireContact(organizationId: string, contactId: string): Promise<Contact> {
  const contact = await get<Contact>(leadKeys.contact(organizationId, contactId));

  return requireFound(contact?.erasureId ? undefined : contact, 'Contact');
}

export async function findContactByEmail(
  organizationId: string,
  email: string,
): Promise<Contact | undefined> {
  const claim = await get<{ contactId: string }>(leadKeys.contactEmail(organizationId, email));

  return claim ? get<Contact>(leadKeys.contact(organizationId, claim.contactId)) : undefined;
}

export type ContactPatch = BodyOf<typeof contracts.updateContact>;

/** A patch whose custom fields were merged into the stored values. Null clears them. */
type StoredPatch = Omit<ContactPatch, 'customFields'> & {
  readonly customValues?: CustomValues | null | undefined;
};

/**
 * Updates a contact, its address claims and its search words, unless it has changed since it was
 * read. Its former placeholder addresses still identify it.
 */
export function planContactChange(
  contact: Contact,
  patch: StoredPatch,
  updatedAt = timestamp(),
): readonly Write[] {
  const { organizationId, id } = contact;
  const patched = { ...contact, ...definedFields(patch) } as Contact;
  const changed = patched.email === contact.email ? patched : withStandIns(patched, contact);
  const [before, after] = [addressesOf(contact), addressesOf(changed)];

  return [
    change(leadKeys.contact(organizationId, id), {
      set: { ...patch, standIns: changed.standIns, version: contact.version + 1, updatedAt },
      when: equals('version', contact.version),
    }),
    ...without(after, before).map((address) => planAddressClaim(organizationId, id, address)),
    ...planAddressesRelease(organizationId, without(before, after)),
    ...planWordsChange(organizationId, id, searchWords(contact), searchWords(changed)),
  ];
}

function withStandIns(contact: Contact, former: Contact): Contact {
  const standIns = placeholderAddressesOf(former);

  return standIns.length > 0 ? { ...contact, standIns } : contact;
}

/** @throws 404, or 409 if another contact has the email address. */
export async function updateContact(
  organizationId: string,
  contactId: string,
  { tags, customFields, ...given }: ContactPatch,
): Promise<Contact> {
  return retryWhenOvertaken('contact', async () => {
    const contact = await requireContact(organizationId, contactId);
    const { customValues: stored } = contact;
    const fields = await fieldsFor(organizationId, [customFields, stored]);
    const customValues = mergedValues(fields, 'CONTACT', customFields, { stored }) ?? null;
    const patch = {
      ...given,
      ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
      ...(customFields ? { customValues } : {}),
    };
    if (!changesSomething(contact, patch)) {
      return contact;
    }
    const updatedAt = timestamp();
    const after = applied(contact, { ...patch, updatedAt });
    const event = await planOrganizationEvent(
      organizationId,
      contactEvent('contact.updated', after, fields),
    );
    await write(...planContactChange(contact, patch, updatedAt), ...event);

    return after;
  });
}

/**
 * Deletes a contact with its search words, count and address claims, unless it has changed since it
 * was read. Claims in `handedOver` are kept because another contact takes them over.
 */
export function planContactRemoval(
  contact: Contact,
  handedOver: readonly string[] = [],
): readonly Write[] {
  const { organizationId, id, version } = contact;

  return [
    remove(leadKeys.contact(organizationId, id), {
      when: allOf(either(absent('leadCount'), equals('leadCount', 0)), equals('version', version)),
    }),
    ...planAddressesRelease(organizationId, without(addressesOf(contact), handedOver)),
    count(leadKeys.contactCounter(organizationId, shardOf(id, counterShards)), { total: -1 }),
    ...planWordsChange(organizationId, id, searchWords(contact), []),
  ];
}

/** Keeps the record small. Deliveries with a former id expire after 30 days. */
const maxFormerIds = 100;

/** Removes a duplicate and transfers its placeholder addresses and former ids to the contact. */
export function planContactMerge(contact: Contact, duplicate: Contact): readonly Write[] {
  const { organizationId, id: contactId, version } = contact;
  const standIns = joinedStandIns(contact, duplicate);
  const handedOver = placeholderAddressesOf(duplicate).filter((address) =>
    standIns.includes(address),
  );
  const given =
    handedOver.length > 0
      ? without(addressesOf(contact), addressesOf({ ...contact, standIns }))
      : [];
  const formerIds = [...(contact.formerIds ?? []), ...(duplicate.formerIds ?? []), duplicate.id];

  return [
    change(leadKeys.contact(organizationId, contactId), {
      set: {
        formerIds: formerIds.slice(-maxFormerIds),
        ...(handedOver.length > 0 ? { standIns } : {}),
        version: version + 1,
      },
      when: equals('version', version),
    }),
    ...planAddressesRelease(organizationId, given),
    ...handedOver.map((address) =>
      change(leadKeys.contactEmail(organizationId, address), {
        set: { contactId },
        when: equals('contactId', duplicate.id),
      }),
    ),
    ...planContactRemoval(duplicate, handedOver),
  ];
}

type Searchable = {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | null | undefined;
  readonly company?: string | null | undefined;
};

/** Returns the words by which the contact is indexed. */
export function searchWords({ name, email, phone, company }: Searchable): readonly string[] {
  const digits = (phone ?? '').replaceAll(/\D/g, '');
  const international = domainToUnicode(email.slice(email.lastIndexOf('@') + 1));
  const words = [name, company ?? '', email, international].flatMap(wordsOf);

  return [...new Set([...words, ...(digits ? [digits.slice(0, maxWordLength)] : [])])].slice(
    0,
    wordsPerContact,
  );
}
