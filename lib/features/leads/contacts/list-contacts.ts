import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import type { Page } from '#lib/platform/db/lists/list.ts';
import { listIndexPage, pickPage } from '#lib/platform/db/lists/sharded-list.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { wordsOf } from '#lib/platform/words.ts';
import type { QueryOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/leads.ts';
import type { Contact } from './contacts.ts';

async function countContacts(organizationId: string): Promise<number> {
  const counters = await query<{ total: number }>(leadRanges.contactCounters(organizationId));

  return counters.reduce((sum, { total }) => sum + total, 0);
}

/**
 * Returns a page of contacts, newest first. With `search`, only contacts matching every word as a
 * prefix.
 */
export async function listContacts(
  organizationId: string,
  { search, ...request }: QueryOf<typeof contracts.listContacts>,
): Promise<Page<Contact>> {
  const page = search
    ? pickPage(await findByWords(organizationId, wordsOf(search)), request)
    : await listIndexPage(
        { organizationId, kind: 'contact' },
        request,
        countContacts(organizationId),
      );
  const contacts = await getMany<Contact>(
    page.items.map(({ id }) => leadKeys.contact(organizationId, id)),
  );

  return { ...page, items: contacts.filter((contact) => contact !== undefined) };
}

async function findByWords(
  organizationId: string,
  words: readonly string[],
): Promise<ReadonlyArray<{ readonly id: string }>> {
  const found = await Promise.all(
    words.map(async (word) => {
      const rows = await query<{ contactId: string }>(
        leadRanges.contactWords(organizationId, word),
      );

      return new Set(rows.map(({ contactId }) => contactId));
    }),
  );
  const [first, ...others] = found;
  const ids = [...(first ?? [])].filter((id) => others.every((ids) => ids.has(id)));

  return ids
    .sort()
    .reverse()
    .map((id) => ({ id }));
}
