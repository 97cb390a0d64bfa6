import { expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { listNotes } from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { newMember } from '#tests/support/accounts.ts';
import { noteSetup } from './setup.ts';

it('listNotes returns all notes of the conversation with their number, newest first', async () => {
  const { ask, params, owner, add } = await noteSetup();
  const viewer = await newMember(owner, 'VIEWER');
  for (const text of ['first', 'second', 'third']) {
    await add(text);
  }
  const { body } = await ask(listNotes, { params, token: viewer.token });

  expect(body.total).toBe(3);
  expect(body.notes.map(({ text }: { text: string }) => text)).toEqual([
    'third',
    'second',
    'first',
  ]);
});

it('listNotes returns none for another conversation, and 404 for an unknown one', async () => {
  const { ask, owner, add } = await noteSetup();
  await add('first');
  const other = await storeConversation(owner.organizationId);

  const { body } = await ask(listNotes, { params: { conversation_id: other.id } });
  expect([body.notes, body.total]).toEqual([[], 0]);
  expect((await ask(listNotes, { params: { conversation_id: newId() } })).status).toBe(404);
});
