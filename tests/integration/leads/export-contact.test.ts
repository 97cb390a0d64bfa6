import { describe, expect, it } from 'vitest';
import { collectors, erasers } from '#lib/features/erasure/data-sources.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { exportContact } from '#schemas/persons.ts';
import { erasureSetup } from './erasure-setup.ts';

const world = await erasureSetup();
const contactId = await world.fill();

function exported() {
  return world.ask(exportContact, { params: { contact_id: contactId } });
}

/**
 * The kinds of items that contain the marker, as `finds` reports them, and their place in the
 * export.
 */
const exportedAs: Readonly<Record<string, (file: Record<string, unknown[]>) => unknown[]>> = {
  ACTIVITY: (file) => contentsOf(file, 'ACTIVITY'),
  CHUNK: ({ importRows = [] }) => importRows,
  CONTACT: ({ contact }) => [contact],
  CONVERSATION: ({ conversations = [] }) => conversations,
  GAP: ({ knowledgeGaps = [] }) => knowledgeGaps,
  INBOUND_TEXTS: (file) => contentsOf(file, 'MESSAGE'),
  LEAD: ({ leads = [] }) => leads,
  MESSAGE: (file) => contentsOf(file, 'MESSAGE'),
  NOTE: (file) => contentsOf(file, 'NOTE'),
  OUTBOX: ({ inboundEvents = [], waitingEvents = [] }) => [...inboundEvents, ...waitingEvents],
  TRACE: (file) => contentsOf(file, 'TRACE'),
  WEBHOOK_DELIVERIES: ({ deliveries = [] }) => deliveries,
};

function contentsOf({ contents = [] }: Record<string, unknown[]>, kind: string): unknown[] {
  return contents.filter((item) => (item as { readonly kind: string }).kind === kind);
}

/**
 * Claims, search words, lists and counters only repeat data of the contact, its leads and
 * conversations.
 */
const derived = [
  'CLAIM',
  'CONTACT_WORDS',
  'CONVERSATION_WORDS',
  'CUSTOMER_OF',
  'LEAD_FACET',
  'LEAD_TAGS',
  'LEAD_TAG_COUNTS',
];

describe('exporting a contact', () => {
  it('collects data from each source that an erasure clears', () => {
    const withoutWords = ['exportFiles', 'unusedCounters'];
    expect([...Object.keys(collectors), ...withoutWords].toSorted()).toEqual(
      Object.keys(erasers).toSorted(),
    );
  });

  it('contains everything that an erasure removes', async () => {
    const { status, headers, body } = await exported();
    const file = JSON.parse(body);
    const { items } = await world.finds();

    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="contact-${contactId}.json"`);
    expect([...new Set(items)].toSorted()).toEqual(
      [...Object.keys(exportedAs), ...derived].toSorted(),
    );
    for (const [kind, pick] of Object.entries(exportedAs)) {
      expect(JSON.stringify(pick(file)), kind).toContain(world.marker);
    }
    expect(contentsOf(file, 'ACTIVITY')).toContainEqual(
      expect.objectContaining({
        type: 'MESSAGE_RECEIVED',
        description: expect.stringContaining(world.marker),
      }),
    );
    const message = contentsOf(file, 'MESSAGE').find(
      (item) => ((item as { attachments: unknown[] }).attachments ?? []).length > 0,
    ) as { readonly attachments: ReadonlyArray<{ readonly url: string }> };
    expect((await fetch(String(message.attachments[0]?.url))).status).toBe(200);
  });

  it('is recorded in the audit log', async () => {
    await exported();
    const { entries } = (await world.ask(listAuditLog)).body;

    expect(entries[0]).toMatchObject({ action: 'contact.exported', targetId: contactId });
  });

  it('returns a link to a file if it is too large for a response', async () => {
    const id = await world.writeMuch();
    const { status, headers } = await exported();
    const file = await fetch(String(headers.location));
    const content = await file.json();

    expect(status).toBe(303);
    expect(file.headers.get('content-disposition')).toContain(`contact-${contactId}.json`);
    expect(content.contact.id).toBe(contactId);
    expect(
      contentsOf(content, 'MESSAGE').filter(
        (item) => (item as { readonly conversationId: string }).conversationId === id,
      ).length,
    ).toBeGreaterThan(30);
  });
});
