import { scheduleSubscriptionEnd } from '#lib/features/billing/subscriptions/schedule-subscription-end.ts';
import { filesOfOrganization } from '#lib/features/conversations/messages/attachments.ts';
import { knowledgeFilesOf } from '#lib/features/knowledge/source.ts';
import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import { mediaFilesOf, uploadsOf } from '#lib/features/media/media.ts';
import { disconnectAllAccounts } from '#lib/features/social/connection/disconnect-account.ts';
import { hourMs, now } from '#lib/platform/clock.ts';
import { isMemberKey } from '#lib/platform/db/keys/organizations.ts';
import { type Key, type KeyRange, keys, ranges } from '#lib/platform/db/keys.ts';
import {
  type IndexRow,
  isInList,
  type ListKind,
  type ListShard,
  rowsOf,
} from '#lib/platform/db/lists/sharded-list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { removeFiles } from '#lib/platform/storage/files.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { Platform } from '#schemas/platforms.ts';

const pageSize = 1_000;
const partitionsAtOnce = 100;
/** A page takes one or two seconds. The function must not time out in the middle of one. */
const reserveMs = 15_000;
/**
 * Time until a final pass. Indexes are eventually consistent, and requests or workers that started
 * before the deletion may still write.
 */
const finalPassDelayMs = hourMs;

/**
 * Records with their own partitions, which the list index finds. Imports come first, because
 * removing the record of a running import stops it from creating more records.
 */
const listed = [
  'import',
  'conversation',
  'lead',
  'contact',
  'post',
  'stagedPost',
  'deletedPost',
] as const;

type AnyItem = Key & {
  readonly userId?: string;
  readonly tokenHash?: string;
  readonly linkTokenHash?: string;
  readonly stateHash?: string;
  readonly keyHash?: string;
  readonly customerId?: string;
  readonly list?: ListShard<ListKind>;
  readonly email?: string;
  readonly standIns?: readonly string[];
  readonly claimedAccountId?: string;
  /** Of a message. */
  readonly accountId?: string;
  /** Of a conversation. */
  readonly socialAccountId?: string;
  readonly channel?: string;
  readonly platform?: Platform;
  readonly customer?: { readonly id: string };
  readonly id?: string;
  readonly grantedById?: string;
  readonly networkMessageId?: string;
  /** Attachments of a message. A file that this service sent has its own message id. */
  readonly attachments?: ReadonlyArray<{ readonly networkMessageId?: string }>;
  readonly shortCode?: string;
  readonly formCode?: string;
};

class OutOfTimeError extends Error {}

/** Returns the keys of related items in other partitions, which must be removed before the item. */
function relatedKeys(organizationId: string, item: AnyItem): readonly Key[] {
  const { userId, tokenHash, linkTokenHash, stateHash, keyHash } = item;
  const { customerId, claimedAccountId, shortCode, formCode } = item;

  return [
    ...(isMemberKey(item) && userId ? [keys.userMembership(userId, organizationId)] : []),
    ...(tokenHash ? [keys.invitationToken(tokenHash)] : []),
    ...(linkTokenHash ? [keys.connectLinkToken(linkTokenHash)] : []),
    ...(stateHash ? [keys.oauthState(stateHash)] : []),
    ...(keyHash ? [keys.apiKey(keyHash)] : []),
    ...(customerId ? [keys.customerClaim(customerId)] : []),
    ...contactClaims(organizationId, item),
    ...(claimedAccountId ? [keys.socialWebhookClaim(claimedAccountId)] : []),
    ...(shortCode ? [keys.shortCode(shortCode)] : []),
    ...(formCode ? [keys.formCode(formCode)] : []),
    ...conversationClaims(organizationId, item),
    ...personEntries(organizationId, item),
  ];
}

/** The entries in a person's lists at a network, which span organizations. */
function personEntries(organizationId: string, item: AnyItem): readonly Key[] {
  const { platform, id, customer, grantedById, list } = item;
  if (!platform || !id) {
    return [];
  }

  return [
    ...(list && isInList(list, 'conversation') && customer
      ? [keys.customerConversation(platform, customer.id, organizationId, id)]
      : []),
    ...(grantedById ? [keys.grantedAccount(platform, grantedById, organizationId, id)] : []),
  ];
}

function contactClaims(organizationId: string, { list, email, standIns }: AnyItem): readonly Key[] {
  return list && isInList(list, 'contact') && email
    ? addressesOf({ email, standIns }).map((address) => keys.contactEmail(organizationId, address))
    : [];
}

function conversationClaims(organizationId: string, item: AnyItem): readonly Key[] {
  const { accountId, socialAccountId, channel, customer, attachments = [] } = item;
  const messageIds = [item, ...attachments].flatMap(
    ({ networkMessageId = [] }) => networkMessageId,
  );

  return [
    ...(socialAccountId && channel && customer
      ? [keys.conversationClaim(organizationId, socialAccountId, channel, customer.id)]
      : []),
    ...(accountId
      ? messageIds.map((messageId) => keys.networkMessage(organizationId, accountId, messageId))
      : []),
  ];
}

/**
 * Removes all data of a deleted organization, page by page. Can be interrupted and restarted,
 * because the index and partitions show the remaining data. After an hour, it makes a final pass.
 * The organization's record, which marks it as deleted, is removed last.
 */
export async function removeOrganization(
  organizationId: string,
  { key, remainingMs }: Pick<WorkRequest<'organizationRemoval'>, 'key' | 'remainingMs'>,
): Promise<WorkOutcome> {
  const organizationKey = keys.organization(organizationId);
  const stopInTime = () => {
    if (remainingMs() < reserveMs) {
      throw new OutOfTimeError();
    }
  };
  await scheduleSubscriptionEnd(organizationId);
  await disconnectAllAccounts(organizationId);
  try {
    // Removes publicly accessible bio links first.
    await removeRange(organizationId, ranges.bioLinks(organizationId), new Set(), stopInTime);
    for (const kind of listed) {
      await removeListed(organizationId, kind, stopInTime);
    }
    for (const range of ranges.sidePartitions(organizationId)) {
      await removeRange(organizationId, range, new Set(), stopInTime);
    }
    await removeFiles(filesOfOrganization(organizationId));
    await removeFiles(uploadsOf(organizationId));
    await removeFiles(mediaFilesOf(organizationId));
    await removeFiles(knowledgeFilesOf(organizationId));
    const kept = new Set([key.sk, organizationKey.sk]);
    await removeRange(organizationId, ranges.everythingOf(organizationId), kept, stopInTime);
  } catch (failure) {
    if (failure instanceof OutOfTimeError) {
      return 'unfinished';
    }
    throw failure;
  }
  const record = await get<{ readonly deletedAt: string }>(organizationKey);
  const againInMs = record ? Date.parse(record.deletedAt) + finalPassDelayMs - now() : 0;
  if (againInMs > 0) {
    return { againInMs };
  }
  await removeMany([organizationKey]);

  return 'done';
}

/** Removes the partitions of all items in a list, 100 at a time. */
async function removeListed(
  organizationId: string,
  kind: ListKind,
  stopInTime: () => void,
): Promise<void> {
  let rows: IndexRow[] = [];
  const remove = async () => {
    if (rows.length === 0) {
      return;
    }
    const partitions = await Promise.all(
      rows.map((row) => query<AnyItem>(ranges.partitionOf(row), { expiredToo: true })),
    );
    await removeItems(organizationId, partitions.flat());
    rows = [];
    stopInTime();
  };
  for await (const row of rowsOf({ organizationId, kind }, partitionsAtOnce)) {
    rows.push(row);
    if (rows.length === partitionsAtOnce) {
      await remove();
    }
  }
  await remove();
}

async function removeRange(
  organizationId: string,
  range: KeyRange,
  kept: ReadonlySet<string>,
  stopInTime: () => void,
): Promise<void> {
  for (;;) {
    const page = await query<AnyItem>(range, { limit: pageSize, expiredToo: true });
    const removable = page.filter(({ sk }) => !kept.has(sk));
    if (removable.length === 0) {
      return;
    }
    await removeItems(organizationId, removable);
    stopInTime();
  }
}

async function removeItems(organizationId: string, items: readonly AnyItem[]): Promise<void> {
  await removeMany(items.flatMap((item) => relatedKeys(organizationId, item)));
  await removeMany(items);
}
