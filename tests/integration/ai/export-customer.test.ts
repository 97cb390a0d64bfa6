import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listAuditLog } from '#schemas/organizations.ts';
import { exportContact, exportCustomer } from '#schemas/persons.ts';
import { drainWork } from '#tests/support/work.ts';
import { erasureSetup } from '../leads/erasure-setup.ts';

const world = await erasureSetup();

const exported = (conversationId: string) =>
  world.ask(exportCustomer, { params: { conversation_id: conversationId } });

describe('exporting the customer of a conversation', () => {
  it('contains everything about a person without a contact', async () => {
    const conversationId = await world.chat();
    const { status, headers, body } = await exported(conversationId);
    const { contact, leads, conversations, contents, knowledgeGaps } = JSON.parse(body);

    expect([status, contact, leads]).toEqual([200, null, []]);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="conversation-${conversationId}.json"`,
    );
    expect(conversations).toHaveLength(2);
    expect([...new Set(contents.map(({ kind }: { kind: string }) => kind))].toSorted()).toEqual([
      'MESSAGE',
      'NOTE',
      'TRACE',
    ]);
    expect(knowledgeGaps).toHaveLength(1);
    const { entries } = (await world.ask(listAuditLog)).body;
    expect(entries[0]).toMatchObject({ action: 'contact.exported', targetId: conversationId });
  });

  it('contains the same as the export of the contact', async () => {
    const other = await erasureSetup();
    await other.converse();
    const [contact] = await other.contacts();
    const [conversation] = await other.conversations();
    const params = { conversation_id: conversation.id };
    const ofCustomer = JSON.parse((await other.ask(exportCustomer, { params })).body);
    const ofContact = JSON.parse(
      (await other.ask(exportContact, { params: { contact_id: contact.id } })).body,
    );
    const withoutLinks = (file: object) =>
      JSON.stringify({ ...file, exportedAt: null }).replaceAll(/"url":"[^"]*"/g, '');

    expect(ofCustomer.contact.id).toBe(contact.id);
    expect(withoutLinks(ofCustomer)).toBe(withoutLinks(ofContact));
  });

  it('has no file after a message of the person was withdrawn', async () => {
    const other = await erasureSetup();
    await other.chat();
    const id = await other.writeMuch();
    const said = { type: 'comment', from: other.customer, eventId: randomUUID() } as const;
    const account = await other.account();
    await other.say(account, { ...said, text: other.marker });
    await drainWork();
    const { status, headers } = await other.ask(exportCustomer, {
      params: { conversation_id: id },
    });
    const before = await fetch(String(headers.location));
    await other.say(account, { ...said, text: '', action: 'withdraw' });
    await drainWork();

    expect([status, before.status]).toEqual([303, 200]);
    expect((await fetch(String(headers.location))).status).toBe(404);
  });
});
