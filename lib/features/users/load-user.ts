import type { Key } from '#lib/platform/db/keys/key.ts';
import { userRanges } from '#lib/platform/db/keys/users.ts';
import { query } from '#lib/platform/db/read.ts';
import { byJoining, type Membership } from '#lib/platform/identity/identity.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import type { User } from './users.ts';

/**
 * Returns a user and their memberships, in joining order, from one query. The same key range also
 * contains unsent emails.
 */
export async function loadUser(userId: string) {
  const items = await query<User | Membership | OutboxItem>(
    userRanges.membershipsAndProfile(userId),
  );

  return {
    user: items.find((item): item is User & Key => 'authProvider' in item),
    memberships: byJoining(items.filter((item): item is Membership & Key => 'role' in item)),
  };
}
