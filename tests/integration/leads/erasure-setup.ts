import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { exportFilesOf } from '#lib/features/erasure/export-files.ts';
import { planGap } from '#lib/features/knowledge/gaps.ts';
import { packRows } from '#lib/features/leads/import/import-record.ts';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { storeFile } from '#lib/platform/storage/stored-files.ts';
import {
  assignConversation,
  createNote,
  listConversations,
  rateConversation,
} from '#schemas/conversations.ts';
import { workers } from '#schemas/index.ts';
import {
  addLeadTags,
  createContact,
  createLead,
  createLeadActivity,
  createPipeline,
  getErasure,
  listContacts,
  mergeContacts,
  updateContact,
  updateLead,
} from '#schemas/leads.ts';
import { storeMessage } from '#scripts/fixtures/conversations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { receiverUrl } from '#scripts/fixtures/sandbox.ts';
import { replySetup } from '#tests/integration/replies/setup.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { askAs } from '#tests/support/api.ts';
import { logSince } from '#tests/support/log-book.ts';
import { storedItems, storeItem } from '#tests/support/table.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';

const storage = new S3Client({
  endpoint: String(process.env.S3_ENDPOINT),
  forcePathStyle: true,
});

/** Creates an organization, and a person whose data contains a marker everywhere. */
export async function erasureSetup() {
  const owner = await newAccount();
  const ask = askAs(owner);
  const { organizationId, token } = owner;
  const world = replySetup(owner);
  /** Only lowercase letters, so that it is the same in a word, an address and an id. */
  const marker = `zyx${randomUUID().replaceAll(/[^a-f]/g, '')}q`;
  const customer = { id: `${marker}-1`, name: `${marker} Babbage` };

  /** A customer writes on both channels, and a campaign answers and creates the lead. */
  async function converse(from = customer) {
    const account = await world.account();
    // Keywords are unique in an organization.
    const keyword = randomUUID();
    await world.campaign(account, {
      webhookUrl: receiverUrl(randomUUID()),
      keywords: [{ keyword, matchType: 'CONTAINS', priority: 1 }],
    });
    const text = `What is ${keyword}, ${marker}?`;
    await world.say(account, { type: 'message', text, from, attachments: [{ kind: 'image' }] });
    await world.say(account, { type: 'comment', text, from });
    await drainWork();

    return account;
  }

  /** A customer writes on both channels, in a way that creates no contact. */
  async function chat(from = customer) {
    const account = await world.account();
    const text = `Hello, I am ${marker}`;
    await world.say(account, { type: 'message', text, from, attachments: [{ kind: 'image' }] });
    await world.say(account, { type: 'comment', text, from });
    await drainWork();
    const [conversation] = await conversations();
    const inConversation = { conversation_id: conversation.id };
    await ask(createNote, { params: inConversation, body: { text: `About ${marker}` } });
    await leaveWords(conversation.id);

    return conversation.id as string;
  }

  /** Makes an export larger than a response may be. */
  async function writeMuch() {
    const [conversation] = await conversations();
    const { id } = conversation;
    for (let message = 0; message < 30; message += 1) {
      await storeMessage(
        { ...conversation, organizationId },
        { text: 'é"'.repeat(60_000), networkMessageId: randomUUID() },
      );
    }

    return id as string;
  }

  async function contacts() {
    return (await ask(listContacts, { query: { limit: '100' } })).body.contacts;
  }

  async function conversations() {
    return (await ask(listConversations, { query: { limit: '100' } })).body.conversations;
  }

  /** Writes the marker to every place. */
  async function fill() {
    await storeWebhook(organizationId);
    await converse();
    const [contact] = await contacts();
    const params = { contact_id: contact.id };
    await ask(updateContact, { params, body: { phone: '+44 20 7946 0018', company: marker } });
    for (const { id, leadId } of await conversations()) {
      const inConversation = { conversation_id: id };
      await ask(createNote, { params: inConversation, body: { text: `About ${marker}` } });
      await ask(rateConversation, { params: inConversation, body: { rating: 4 } });
      await ask(assignConversation, {
        params: inConversation,
        body: { assignedToId: owner.userId },
      });
      const ofLead = { lead_id: leadId };
      await ask(updateLead, { params: ofLead, body: { notes: marker, value: 100 } });
      await ask(addLeadTags, { params: ofLead, body: { tags: [`Tag of ${marker}`] } });
      await ask(createLeadActivity, {
        params: ofLead,
        body: { type: 'NOTE', description: marker },
        headers: { 'idempotency-key': randomUUID() },
      });
      await leaveWords(id);
    }
    await mergeDuplicate(contact.id);
    await storeFile(
      {
        key: `${exportFilesOf(organizationId, contact.id)}1.json`,
        contentType: 'application/json',
        downloadName: 'contact.json',
      },
      Buffer.from(marker),
    );
    await drainWork();
    await leaveWork(contact);

    return contact.id as string;
  }

  /** Writes the data that an agent stores about a question: a trace, and a knowledge gap. */
  async function leaveWords(conversationId: string) {
    const trace = keys.replyTrace(organizationId, conversationId, newId());
    await storeItem({
      ...trace,
      messageId: newId(),
      reply: { outcome: 'NOBODY', detail: marker },
      createdAt: timestamp(),
    });
    const vector = Float32Array.from([1]);
    const asked = { question: marker, vector, conversationId, messages: [], agentId: undefined };
    await write(...(await planGap(organizationId, asked)));
  }

  async function mergeDuplicate(contactId: string) {
    const body = { name: `Charles ${marker}`, email: freshEmail(marker) };
    const duplicate = (await ask(createContact, { body })).body.contact;
    const { pipeline } = (await ask(createPipeline, { body: { name: randomUUID() } })).body;
    const lead = {
      contactId: duplicate.id,
      pipelineId: pipeline.id,
      source: `From ${marker}`,
      utmCampaign: marker,
    };
    await ask(createLead, { body: lead });
    await ask(mergeContacts, {
      params: { contact_id: contactId },
      body: { duplicateId: duplicate.id },
    });
  }

  /** Creates an import, a network event and a webhook event that are not processed. */
  async function leaveWork({ id, email }: { readonly id: string; readonly email: string }) {
    await storeImport(email);
    const account = await world.account();
    await world.say(account, { type: 'message', text: marker, from: customer });
    await takeWork('inbound-events');
    await ask(updateContact, { params: { contact_id: id }, body: { company: `${marker} Ltd` } });
    await takeWork('webhook-fan-out');
  }

  /** Stores an import in its state before its rows are processed. */
  async function storeImport(email: string) {
    const id = newId();
    const expiresAtSeconds = epochSeconds(86_400);
    const rows = packRows([
      { row: 1, details: { name: marker, email, notes: marker } },
      { row: 2, details: { name: 'Ada', email: freshEmail() } },
    ]);
    await write(
      create(keys.leadImport(organizationId, id), {
        id,
        organizationId,
        list: 'import#0',
        targetPipelineId: newId(),
        defaultSource: 'import',
        dryRun: false,
        ignoredColumns: [],
        totalRows: 2,
        processedRows: 0,
        expiresAtSeconds,
      }),
      create(keys.leadImportChunk(organizationId, id, 1), { firstRow: 1, rows, expiresAtSeconds }),
    );
  }

  async function erasureOf(erasureId: string) {
    return (await ask(getErasure, { params: { erasure_id: erasureId } })).body.erasure;
  }

  /** Returns the places that contain the marker: items, files, queues and the log. */
  async function finds() {
    const has = (text: string) => text.toLowerCase().includes(marker);
    const items = (await storedItems()).filter((item) => has(JSON.stringify(readable(item))));
    const queued = await Promise.all(workers.map(({ name }) => takeWork(name)));

    return {
      items: items.map(kindOf),
      files: (await storedFiles()).filter(has),
      queues: queued.filter((event) => has(JSON.stringify(event))),
      log: logSince(0).filter(has),
    };
  }

  /** Returns the names and contents of the organization's files. */
  async function storedFiles(): Promise<readonly string[]> {
    const Bucket = process.env.FILES_BUCKET;
    const { Contents = [] } = await storage.send(new ListObjectsV2Command({ Bucket }));
    const own = Contents.filter(({ Key = '' }) => Key.includes(organizationId));

    return Promise.all(
      own.map(async ({ Key }) => {
        const { Body } = await storage.send(new GetObjectCommand({ Bucket, Key }));

        return `${Key} ${await Body?.transformToString()}`;
      }),
    );
  }

  return {
    ...world,
    organizationId,
    token,
    marker,
    customer,
    ask,
    converse,
    chat,
    writeMuch,
    contacts,
    conversations,
    fill,
    erasureOf,
    finds,
    storedFiles,
  };
}

/** Returns the kind of an item by its key, such as a message. */
function kindOf({ pk, sk }: { readonly pk: string; readonly sk: string }): string {
  const [first = '', , list = ''] = pk.split('#');
  if (first === 'CUSTOMER_OF') {
    return first;
  }

  return /^(WEBHOOK_DELIVERIES|INBOUND_TEXTS|(CONTACT|CONVERSATION)_WORDS|LEAD_(TAGS|TAG_COUNTS|FACET))$/.test(
    list,
  )
    ? list
    : (sk.split('#')[0] ?? '');
}

/** Decompresses the rows of imports. */
function readable({ rows, ...item }: Readonly<Record<string, unknown>>): object {
  return rows instanceof Uint8Array ? { ...item, rows: gunzipSync(rows).toString() } : item;
}

export type ErasureSetup = Awaited<ReturnType<typeof erasureSetup>>;
