import { scheduleSubscriptionEnd } from '#lib/features/billing/subscriptions/schedule-subscription-end.ts';
import { filesOfOrganization } from '#lib/features/conversations/messages/attachments.ts';
import { knowledgeFilesOf } from '#lib/features/knowledge/source.ts';
import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import { mediaFilesOf, uploadsOf } from '#lib/features/media/media.ts';
import { disconnectAllAccounts } from '#lib/features/social/connection/disconnect-account.ts';
import { hourMs, now } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { bioKeys, bioRanges } from '#lib/platform/db/keys/bio.ts';
import { type Key, type KeyRange, tenant, wholePartition } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { isMemberKey, organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { sidePartitions } from '#lib/platform/db/keys/side-partitions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { type IndexRow, rowsOf } from '#lib/platform/db/lists/sharded-list.ts';
import { isInList, type ListKind, type ListShard } from '#lib/platform/db/lists/shards.ts';
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
    ...(isMemberKey(item) && userId ? [userKeys.userMembership(userId, organizationId)] : []),
    ...(tokenHash ? [organizationKeys.invitationToken(tokenHash)] : []),
    ...(linkTokenHash ? [socialKeys.connectLinkToken(linkTokenHash)] : []),
    ...(stateHash ? [socialKeys.oauthState(stateHash)] : []),
    ...(keyHash ? [organizationKeys.apiKey(keyHash)] : []),
    ...(customerId ? [billingKeys.customerClaim(customerId)] : []),
    ...contactClaims(organizationId, item),
    ...(claimedAccountId ? [socialKeys.socialWebhookClaim(claimedAccountId)] : []),
    ...(shortCode ? [bioKeys.shortCode(shortCode)] : []),
    ...(formCode ? [leadKeys.formCode(formCode)] : []),
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
      ? [socialKeys.customerConversation(platform, customer.id, organizationId, id)]
      : []),
    ...(grantedById ? [socialKeys.grantedAccount(platform, grantedById, organizationId, id)] : []),
  ];
}

function contactClaims(organizationId: string, { list, email, standIns }: AnyItem): readonly Key[] {
  return list && isInList(list, 'contact') && email
    ? addressesOf({ email, standIns }).map((address) =>
        leadKeys.contactEmail(organizationId, address),
      )
    : [];
}

function conversationClaims(organizationId: string, item: AnyItem): readonly Key[] {
  const { accountId, socialAccountId, channel, customer, attachments = [] } = item;
  const messageIds = [item, ...attachments].flatMap(
    ({ networkMessageId = [] }) => networkMessageId,
  );

  return [
    ...(socialAccountId && channel && customer
      ? [socialKeys.conversationClaim(organizationId, socialAccountId, channel, customer.id)]
      : []),
    ...(accountId
      ? messageIds.map((messageId) =>
          socialKeys.networkMessage(organizationId, accountId, messageId),
        )
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
  const organizationKey = organizationKeys.organization(organizationId);
  const stopInTime = () => {
    if (remainingMs() < reserveMs) {
      throw new OutOfTimeError();
    }
  };
  await scheduleSubscriptionEnd(organizationId);
  await disconnectAllAccounts(organizationId);
  try {
    // Removes publicly accessible bio links first.
    await removeRange(organizationId, bioRanges.bioLinks(organizationId), new Set(), stopInTime);
    for (const kind of listed) {
      await removeListed(organizationId, kind, stopInTime);
    }
    for (const range of sidePartitions(organizationId)) {
      await removeRange(organizationId, range, new Set(), stopInTime);
    }
    await removeFiles(filesOfOrganization(organizationId));
    await removeFiles(uploadsOf(organizationId));
    await removeFiles(mediaFilesOf(organizationId));
    await removeFiles(knowledgeFilesOf(organizationId));
    const kept = new Set([key.sk, organizationKey.sk]);
    await removeRange(organizationId, wholePartition(tenant(organizationId)), kept, stopInTime);
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
      rows.map((row) => query<AnyItem>(wholePartition(row.pk), { expiredToo: true })),
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
