import { activitiesOfItems, type StoredActivity } from '#lib/features/leads/activities.ts';
import { fileOf, linkToAttachment } from '#lib/features/social/conversations/attachments.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { claimsOfMessage } from '#lib/features/social/conversations/messages.ts';
import { isActivityKey } from '#lib/platform/db/keys/leads.ts';
import { isMessageKey, isPersonalLinkKey } from '#lib/platform/db/keys/social.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { removeFiles } from '#lib/platform/storage/files.ts';
import type { ErasedCounts, PersonRecord, PersonScope, Progress } from './place.ts';

const pageSize = 200;

type Item = Key & Readonly<Record<string, unknown>>;

const keyOf: Readonly<Record<PersonRecord['kind'], (organizationId: string, id: string) => Key>> = {
  CONTACT: keys.contact,
  CONVERSATION: keys.conversation,
  LEAD: keys.lead,
};

/** The partitions of conversations, leads and contact: messages, notes, traces, activities, work. */
export async function eraseContents(
  { organizationId, records }: PersonScope,
  { cursor, save, stopInTime }: Progress,
) {
  const [startedName = '', startedAfter] = cursor?.split('\n') ?? [];
  for (const record of inOrder(records)) {
    const name = nameOf(record);
    if (name < startedName) {
      continue;
    }
    const range = ranges.partitionOf(keyOf[record.kind](organizationId, record.id));
    // Items up to the cursor are counted already.
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
    const range = ranges.partitionOf(keyOf[record.kind](organizationId, record.id));
    let after: string | undefined;
    for (;;) {
      const page = await query<Item>(range, {
        limit: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      for (const item of page) {
        yield { ...(await presented(organizationId, item)), of: record };
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

/** Removes items after what is only found through them. */
async function removeItems(organizationId: string, items: readonly Item[]): Promise<void> {
  const messages = items.filter(isMessage);
  for (const { id, attachments } of messages) {
    if (attachments) {
      await removeFiles(fileOf(organizationId, { id }, { id: '', kind: 'OTHER' }).key);
    }
  }
  await removeMany([
    ...messages.flatMap((message) => claimsOfMessage(organizationId, message)),
    ...items.filter(isPersonalLink).map(({ shortCode }) => keys.shortCode(shortCode)),
  ]);
  await removeMany(items);
}

async function presented(organizationId: string, { pk, sk, ...item }: Item): Promise<object> {
  const [kind] = sk.split('#');
  if (!isMessage({ pk, sk, ...item })) {
    return { kind, ...item };
  }
  const message = item as unknown as Message;
  const attachments = await Promise.all(
    (message.attachments ?? []).map(async (attachment) => ({
      ...attachment,
      url: attachment.isStored ? await linkToAttachment(organizationId, message, attachment) : null,
    })),
  );

  return { kind, ...message, attachments };
}
