import { describe, expect, it } from 'vitest';
import { maxStandIns } from '#lib/features/leads/contacts/contact-addresses.ts';
import {
  type Contact,
  planContactChange,
  planContactMerge,
  searchWords,
} from '#lib/features/leads/contacts/contacts.ts';
import { keys } from '#lib/platform/db/keys.ts';

const organizationId = 'o';
const aName = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ');

/** A contact with the maximum number of previous addresses, oldest first. */
function wellKnown(id: string): Contact {
  return {
    id,
    organizationId,
    list: 'contact#0',
    name: aName,
    email: `${id}-now@facebook.invalid`,
    standIns: Array.from({ length: maxStandIns }, (_, index) => `${id}-${index}@tiktok.invalid`),
    leadCount: 0,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  };
}

const claimOf = (address: string) => keys.contactEmail(organizationId, address);

describe('contact with the maximum number of addresses', () => {
  it('drops the oldest address for a new one', () => {
    const contact = wellKnown('c');
    const writes = planContactChange(contact, { email: 'bea@example.com' });
    const freed = writes.filter(({ kind }) => kind === 'remove').map(({ key }) => key);

    expect(freed).toEqual([claimOf('c-0@tiktok.invalid')]);
  });

  it('merges with another such contact in a single transaction', () => {
    const [contact, duplicate] = [wellKnown('c'), wellKnown('d')];
    expect(searchWords(duplicate)).toHaveLength(20);
    const writes = planContactMerge(contact, duplicate);
    const claims = writes.filter(({ key }) => key.sk === 'CLAIM');
    const keysOf = (wanted: string) =>
      claims.filter(({ kind }) => kind === wanted).map(({ key }) => key);

    expect(new Set(writes.map(({ key }) => JSON.stringify(key))).size).toBe(writes.length);
    expect(writes.length).toBeLessThanOrEqual(100);
    expect(keysOf('change')).toEqual(
      [...(duplicate.standIns ?? []).slice(1), duplicate.email].map(claimOf),
    );
    expect(keysOf('remove')).toEqual(
      [...(contact.standIns ?? []), 'd-0@tiktok.invalid'].map(claimOf),
    );
  });
});
