import { expect, it } from 'vitest';
import { deleteNote, listNotes } from '#schemas/conversations.ts';
import { quotas } from '#schemas/quotas.ts';
import { newMember } from '#tests/support/accounts.ts';
import { noteSetup } from './setup.ts';

it('deleteNote allows authors and admins to delete a note, but no other member', async () => {
  const { ask, params, owner, add } = await noteSetup();
  const [author, other, admin] = [
    await newMember(owner, 'MEMBER'),
    await newMember(owner, 'MEMBER'),
    await newMember(owner, 'ADMIN'),
  ];
  const [first, second] = [await add('a', author.token), await add('b', author.token)];
  const remove = ({ body }: typeof first, { token }: typeof author) =>
    ask(deleteNote, { params: { ...params, note_id: body.note.id }, token });

  expect(await remove(first, other)).toMatchObject({
    status: 403,
    body: { message: 'Insufficient permissions for this operation' },
  });
  expect((await remove(first, author)).status).toBe(200);
  expect((await remove(first, author)).status).toBe(404);
  expect((await remove(second, admin)).status).toBe(200);
  expect((await ask(listNotes, { params })).body.notes).toEqual([]);
});

it('deleteNote frees the quota for another note', async () => {
  const { ask, params, add } = await noteSetup();
  process.env[quotas.notes.variable] = '1';
  const { note } = (await add('a')).body;
  await ask(deleteNote, { params: { ...params, note_id: note.id } });
  const { status } = await add('b');
  process.env[quotas.notes.variable] = '';

  expect(status).toBe(201);
});
