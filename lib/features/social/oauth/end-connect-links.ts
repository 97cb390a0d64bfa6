import { maxPerTransaction, type Revocations } from '#lib/features/organizations/revocations.ts';
import { dayMs, epochSeconds, now, timestamp } from '#lib/platform/clock.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { count, put, type Requirement, remove, type Write, write } from '#lib/platform/db/write.ts';
import type { ConnectLink } from './connect-link.ts';

/** After its expiry, a link's page explains for this long why it ended. */
const explainedMs = 90 * dayMs;

export function connectLinkCounter(organizationId: string): Key {
  return organizationKeys.counter(organizationId, 'CONNECT_LINKS');
}

export function explainedUntil(expiresAt: string) {
  const seconds = (Date.parse(expiresAt) - now() + explainedMs) / 1_000;

  return { expiresAtSeconds: epochSeconds(Math.ceil(seconds)) };
}

/** Plans to remove a link. Its page then explains that it has ended. */
export function planLinkEnd(
  { organizationId, id, linkTokenHash, expiresAt }: ConnectLink,
  requirement: Requirement,
): readonly Write[] {
  return [
    remove(socialKeys.connectLink(organizationId, id), requirement),
    put(socialKeys.deletedConnectLink(organizationId, id), {
      linkTokenHash,
      ...explainedUntil(expiresAt),
    }),
  ];
}

/**
 * Plans to end a member's open links, in the transaction that ends the right to create them. Links
 * beyond the limit of a transaction end immediately.
 *
 * The writes throw ConditionNotMetError if a link was used or deleted concurrently: retry.
 */
export async function planEndOfLinks(organizationId: string, userId: string): Promise<Revocations> {
  const links = await query<ConnectLink>(socialRanges.connectLinks(organizationId));
  const open = links.filter(
    ({ createdById, usedAt, expiresAt }) =>
      createdById === userId && !usedAt && expiresAt > timestamp(),
  );
  const planAll = (ended: readonly ConnectLink[]) => [
    ...ended.flatMap((link) => planLinkEnd(link, { when: absent('usedAt') })),
    count(connectLinkCounter(organizationId), { value: -ended.length }),
  ];
  if (open.length === 0) {
    return { writes: [], details: {} };
  }
  for (let start = maxPerTransaction; start < open.length; start += maxPerTransaction) {
    await write(...planAll(open.slice(start, start + maxPerTransaction)));
  }

  return {
    writes: planAll(open.slice(0, maxPerTransaction)),
    details: { endedConnectLinks: open.length },
  };
}
