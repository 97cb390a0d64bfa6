import {
  type Conversation,
  presentConversation,
} from '#lib/features/conversations/conversation.ts';
import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { addressesOf } from '#lib/features/leads/contacts/contact-addresses.ts';
import {
  type Contact,
  presentReadContact,
  requireContact,
} from '#lib/features/leads/contacts/contacts.ts';
import { presentChangedLead } from '#lib/features/leads/lead.ts';
import { customerOfStandIn } from '#lib/features/leads/placeholder-address.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { maxBodyBytes, sizeInAnswer } from '#lib/platform/http/answer.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { newId } from '#lib/platform/ids.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { saveFile } from '#lib/platform/storage/files.ts';
import { personExport } from '#schemas/persons.ts';
import { collectors } from './data-sources.ts';
import { exportFilesOf } from './export-files.ts';
import {
  customerOf,
  findContactOf,
  findConversationsOf,
  findConversationsOfContact,
  findLeadsOf,
} from './find-conversations.ts';
import { type NetworkCustomer, type PersonScope, standInOf } from './person-scope.ts';

const linkSeconds = 3_600;
/** Less than the limit of a response. */
const maxBytes = maxBodyBytes - 500_000;
const contentType = 'application/json; charset=utf-8';

type Person = {
  readonly organizationId: string;
  /** The contact or conversation in the path. */
  readonly subject: { readonly type: 'contact' | 'conversation'; readonly id: string };
  readonly contact: Contact | undefined;
  readonly customers: readonly NetworkCustomer[];
  /** The prefix of the person's export files. */
  readonly files: string;
};

/** Exports everything that is stored about a contact. @throws 404 */
export async function exportContact(
  organizationId: string,
  contactId: string,
  actorId: string,
): Promise<HttpAnswer> {
  const contact = await requireContact(organizationId, contactId);
  const subject = { type: 'contact', id: contactId } as const;
  const files = exportFilesOf(organizationId, contactId);

  return exportPerson({ organizationId, subject, contact, customers: [], files }, actorId);
}

/** The same for the customer of a conversation, with or without a contact. @throws 404 */
export async function exportCustomer(
  organizationId: string,
  conversationId: string,
  actorId: string,
): Promise<HttpAnswer> {
  const customer = customerOf(await requireConversation(organizationId, conversationId));
  const conversations = await findConversationsOf(organizationId, [customer]);
  const contact = await findContactOf(organizationId, customer, conversations);
  const subject = { type: 'conversation', id: conversationId } as const;
  const files = exportFilesOf(organizationId, contact?.id ?? standInOf(customer));

  return exportPerson({ organizationId, subject, contact, customers: [customer], files }, actorId);
}

/**
 * Exports all data that an erasure would remove. If it is too large for a response, redirects to a
 * file.
 */
async function exportPerson(person: Person, actorId: string): Promise<HttpAnswer> {
  const { organizationId, subject, files } = person;
  const parts = partsOf(person);
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
      targetType: subject.type,
      targetId: subject.id,
    }),
  );
  const downloadName = `${subject.type}-${subject.id}.json`;
  if (next.done && bytes <= maxBytes) {
    const disposition = `attachment; filename="${downloadName}"`;

    return {
      statusCode: 200,
      headers: { 'content-type': contentType, 'content-disposition': disposition },
      body: first.join(''),
    };
  }
  const key = `${files}${newId()}.json`;
  const file = { key, contentType, downloadName };
  await saveFile(file, rest([...first, ...(next.done ? [] : [next.value])], parts));

  return { statusCode: 303, headers: { location: await linkTo(file, linkSeconds) }, body: '' };
}

async function* rest(first: readonly string[], parts: AsyncGenerator<string>) {
  yield* first;
  yield* parts;
}

/** Each part is parsed with its schema, which drops internal fields. */
async function* partsOf(person: Person): AsyncGenerator<string> {
  const { organizationId, contact, customers: named } = person;
  const { shape } = personExport;
  const leads = contact ? await findLeadsOf(organizationId, contact.id) : [];
  const linked = contact ? await findConversationsOfContact(organizationId, contact.id, leads) : [];
  const addresses = [
    ...new Set([...(contact ? addressesOf(contact) : []), ...named.map(standInOf)]),
  ];
  const customers = [
    ...addresses.flatMap((address) => customerOfStandIn(address) ?? []),
    ...linked.map(customerOf),
  ];
  const conversations = withoutDuplicates([
    ...linked,
    ...(await findConversationsOf(organizationId, customers)),
  ]);
  const records = personExport.pick({ contact: true, leads: true, conversations: true }).parse({
    contact: contact && (await presentReadContact(contact)),
    leads: await Promise.all(leads.map(presentChangedLead)),
    conversations: conversations.map(presentConversation),
  });
  yield JSON.stringify({ exportedAt: timestamp(), ...records }).slice(0, -1);
  const scope: PersonScope = {
    organizationId,
    records: [
      ...(contact ? [{ kind: 'CONTACT', id: contact.id } as const] : []),
      ...leads.map(({ id }) => ({ kind: 'LEAD', id }) as const),
      ...conversations.map(({ id }) => ({ kind: 'CONVERSATION', id }) as const),
    ],
    formerIds: contact?.formerIds ?? [],
    addresses,
    customers,
  };
  for (const name of Object.keys(collectors) as readonly (keyof typeof collectors)[]) {
    yield `,\n"${name}":[`;
    let separator = '\n';
    for await (const item of collectors[name](scope)) {
      yield `${separator}${JSON.stringify(shape[name].element.parse(item))}`;
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

function withoutDuplicates(conversations: readonly Conversation[]): readonly Conversation[] {
  return [...new Map(conversations.map((one) => [one.id, one])).values()];
}
