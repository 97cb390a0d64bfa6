import { expect, it } from 'vitest';
import { createNote, getConversation, listNotes } from '#schemas/conversations.ts';
import { quotas } from '#schemas/quotas.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, replySetup } from '../replies/setup.ts';
import { conversationSetup, noteSetup } from './setup.ts';

it('createNote adds a note, which is not among the messages', async () => {
  const { ask, params, owner, add } = await noteSetup();
  const { note } = (await add('Prefers mornings.')).body;

  expect(note).toEqual({
    id: expect.any(String),
    text: 'Prefers mornings.',
    createdById: owner.userId,
    createdAt: expect.any(String),
  });
  expect((await ask(getConversation, { params })).body.conversation.messages).toEqual([]);
});

it('createNote accepts 1 to 5,000 characters', async () => {
  const { add } = await noteSetup();
  const texts = ['', ' ', 'a', 'a'.repeat(5_000), 'a'.repeat(5_001)];
  const statuses = [];
  for (const text of texts) {
    statuses.push((await add(text)).status);
  }

  expect(statuses).toEqual([400, 400, 201, 201, 400]);
});

it('createNote returns 409 for more notes than fit into one response', async () => {
  const { add } = await noteSetup();
  process.env[quotas.notes.variable] = '1';
  const statuses = (await Promise.all(['a', 'b', 'c'].map((text) => add(text)))).map(
    ({ status }) => status,
  );
  process.env[quotas.notes.variable] = '';

  expect(statuses.toSorted()).toEqual([201, 409, 409]);
});

it('a note is never sent to the AI service or the customer', async () => {
  const owner = await newAccount();
  const world = replySetup(owner);
  const account = await world.account();
  const from = newCustomer();
  await world.agent();
  await world.say(account, { type: 'message', text: 'Good morning', from });
  await world.workOff();
  const [conversation] = await world.conversations(account);
  const { ask } = await conversationSetup(owner);
  const params = { conversation_id: conversation.id };
  await ask(createNote, { params, body: { text: 'A difficult customer' } });
  await world.say(account, { type: 'message', text: 'What does it cost?', from });
  await world.workOff();

  expect((await world.replies(account)).length).toBe(2);
  const sent = JSON.stringify(await sandbox.requests());
  expect(sent).toContain('What does it cost?');
  expect(sent).not.toContain('A difficult customer');
  expect((await ask(listNotes, { params })).body.total).toBe(1);
});
