import type { Message } from '#lib/features/conversations/conversation.ts';
import { presentWithLinks } from '#lib/features/conversations/messages/attachment-links.ts';
import { removeCopies } from '#lib/features/conversations/messages/message-copies.ts';
import {
  activitiesOfItems,
  type StoredActivity,
  withMessageTexts,
} from '#lib/features/leads/activities.ts';
import { bioKeys } from '#lib/platform/db/keys/bio.ts';
import { type Key, wholePartition } from '#lib/platform/db/keys/key.ts';
import { isActivityKey, leadKeys } from '#lib/platform/db/keys/leads.ts';
import {
  isMessageKey,
  isNoteKey,
  isPersonalLinkKey,
  isTraceKey,
  socialKeys,
} from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import type { ErasedCounts, ErasureProgress, PersonRecord, PersonScope } from './person-scope.ts';

const pageSize = 200;

type Item = Key & Readonly<Record<string, unknown>>;

const keyOf: Readonly<Record<PersonRecord['kind'], (organizationId: string, id: string) => Key>> = {
  CONTACT: leadKeys.contact,
  CONVERSATION: socialKeys.conversation,
  LEAD: leadKeys.lead,
};

/** The partitions of conversations, leads and contact: messages, notes, traces, activities, work. */
export async function eraseContents(
  { organizationId, records }: PersonScope,
  { cursor, save, stopInTime }: ErasureProgress,
) {
  const [startedName = '', startedAfter] = cursor?.split('\n') ?? [];
  for (const record of inOrder(records)) {
    const name = nameOf(record);
    if (name < startedName) {
      continue;
    }
    const range = wholePartition(keyOf[record.kind](organizationId, record.id).pk);
    // Items up to the cursor have already been counted.
    let after = name === startedName ? startedAfter : undefined;
    if (after !== undefined) {
      await removeItems(
        organizationId,
        await query<Item>({ ...range, to: after }, { expiredToo: true }),
      );
    }
    for (;;) {
      stopInTime();
      const page = await query<Item>(range, {
        limit: pageSize,
        expiredToo: true,
        ...(after === undefined ? {} : { after }),
      });
      const lastRead = page.at(-1);
      if (!lastRead) {
        break;
      }
      after = lastRead.sk;
      await save(`${name}\n${after}`, countsOf(page));
      await removeItems(organizationId, page);
    }
  }
}

export async function* collectContents({ organizationId, records }: PersonScope) {
  for (const record of inOrder(records)) {
    const range = wholePartition(keyOf[record.kind](organizationId, record.id).pk);
    let after: string | undefined;
    for (;;) {
      const page = await query<Item>(range, {
        limit: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      const activities = activitiesOfItems(page.filter(isActivity));
      for (const activity of await withMessageTexts(organizationId, activities)) {
        yield { ...activity, kind: 'ACTIVITY' };
      }
      for (const item of page) {
        yield* await presented(organizationId, record, item);
      }
      const lastRead = page.at(-1);
      if (!lastRead) {
        break;
      }
      after = lastRead.sk;
    }
  }
}

function nameOf({ kind, id }: PersonRecord): string {
  return `${kind}#${id}`;
}

function inOrder(records: PersonScope['records']): PersonScope['records'] {
  return records.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function isMessage(item: Item): item is Item & Message {
  return isMessageKey(item);
}

function isActivity(item: Item): item is Item & StoredActivity {
  return isActivityKey(item);
}

function isPersonalLink(item: Item): item is Item & { readonly shortCode: string } {
  return isPersonalLinkKey(item);
}

function countsOf(items: readonly Item[]): Partial<ErasedCounts> {
  const messages = items.filter(isMessage);
  const files = messages.flatMap(({ attachments = [] }) =>
    attachments.filter(({ isStored }) => isStored),
  );

  return {
    messages: messages.length,
    files: files.length,
    activities: activitiesOfItems(items.filter(isActivity)).length,
  };
}

/** Removes items after the other items that are only found through them. */
async function removeItems(organizationId: string, items: readonly Item[]): Promise<void> {
  await removeCopies(organizationId, items.filter(isMessage));
  await removeMany(
    items.filter(isPersonalLink).map(({ shortCode }) => bioKeys.shortCode(shortCode)),
  );
  await removeMany(items);
}

/** Returns nothing for activities, and for items that only repeat others, such as claims. */
async function presented(
  organizationId: string,
  { id: recordId }: PersonRecord,
  item: Item,
): Promise<readonly object[]> {
  const ofConversation = { ...item, conversationId: recordId };
  if (isMessage(item)) {
    const message = await presentWithLinks(organizationId, item);

    return [{ ...message, kind: 'MESSAGE', conversationId: recordId }];
  }
  if (isNoteKey(item)) {
    return [{ ...ofConversation, kind: 'NOTE' }];
  }
  if (isPersonalLink(item)) {
    return [{ ...ofConversation, kind: 'LINK' }];
  }

  // An entry can expire before its outcome is written. Then only the outcome is stored.
  return isTraceKey(item) && item.messageId !== undefined
    ? [{ ...ofConversation, kind: 'TRACE' }]
    : [];
}
