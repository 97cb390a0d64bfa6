import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import { requireContact } from '#lib/features/leads/contacts/contacts.ts';
import { customerOfStandIn } from '#lib/features/leads/placeholder-address.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { maxBodyBytes, sizeInAnswer } from '#lib/platform/http/answer-size.ts';
import { newId } from '#lib/platform/ids.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { saveFile } from '#lib/platform/storage/files.ts';
import { collectors } from './collectors.ts';
import { exportFilesOf } from './export-files.ts';
import {
  customerOf,
  findConversationsOf,
  findConversationsOfContact,
  findLeadsOf,
} from './find-conversations.ts';
import { type PersonScope, placeNames } from './place.ts';

const linkSeconds = 3_600;
/** Below the response size limit. */
const maxBytes = maxBodyBytes - 500_000;

type Exported =
  | { readonly json: string; readonly url?: undefined }
  | { readonly json?: undefined; readonly url: string };

/**
 * Exports everything that is stored about a person: what an erasure would remove. Returns a link to
 * a file if it is too large for a response.
 *
 * @throws 404
 */
export async function exportContact(
  organizationId: string,
  contactId: string,
  actorId: string,
): Promise<Exported> {
  const parts = partsOf(organizationId, contactId);
  const first: string[] = [];
  let bytes = 0;
  let next = await parts.next();
  for (; !next.done && bytes <= maxBytes; next = await parts.next()) {
    first.push(next.value);
    bytes += sizeInAnswer(next.value);
  }
  await write(
    ...planAudit(organizationId, {
      action: 'contact.exported',
      actorId,
      targetType: 'contact',
      targetId: contactId,
    }),
  );
  if (next.done && bytes <= maxBytes) {
    return { json: first.join('') };
  }
  const file = {
    key: `${exportFilesOf(organizationId, contactId)}${newId()}.json`,
    contentType: 'application/json; charset=utf-8',
    downloadName: `contact-${contactId}.json`,
  };
  await saveFile(file, rest([...first, ...(next.done ? [] : [next.value])], parts));

  return { url: await linkTo(file, linkSeconds) };
}

async function* rest(first: readonly string[], parts: AsyncGenerator<string>) {
  yield* first;
  yield* parts;
}

async function* partsOf(organizationId: string, contactId: string): AsyncGenerator<string> {
  const contact = await requireContact(organizationId, contactId);
  const leads = await findLeadsOf(organizationId, contactId);
  const linked = await findConversationsOfContact(organizationId, contactId, leads);
  const addresses = addressesOf(contact);
  const customers = [
    ...addresses.flatMap((address) => customerOfStandIn(address) ?? []),
    ...linked.map(customerOf),
  ];
  const conversations = withoutDuplicates([
    ...linked,
    ...(await findConversationsOf(organizationId, customers)),
  ]);
  const records = { contact: withoutKey(contact), leads: leads.map(withoutKey) };
  yield JSON.stringify({
    exportedAt: timestamp(),
    ...records,
    conversations: conversations.map(withoutKey),
  }).slice(0, -1);
  const scope: PersonScope = {
    organizationId,
    records: [
      { kind: 'CONTACT', id: contactId },
      ...leads.map(({ id }) => ({ kind: 'LEAD', id }) as const),
      ...conversations.map(({ id }) => ({ kind: 'CONVERSATION', id }) as const),
    ],
    formerIds: contact.formerIds ?? [],
    addresses,
    customers,
  };
  for (const name of placeNames) {
    yield `,\n"${name}":[`;
    let separator = '\n';
    for await (const item of collectors[name](scope)) {
      yield `${separator}${JSON.stringify(item)}`;
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

function withoutDuplicates(conversations: readonly Conversation[]): readonly Conversation[] {
  return [...new Map(conversations.map((one) => [one.id, one])).values()];
}

function withoutKey<Item extends object>(item: Item): Omit<Item, keyof Key> {
  const { pk: _, sk: __, ...rest } = item as Item & Key;

  return rest;
}
