import { expect, it } from 'vitest';
import { createSavedReply, updateSavedReply } from '#schemas/saved-replies.ts';
import { conversationSetup } from './setup.ts';

it('updateSavedReply changes the given fields, and rejects taken names and unknown placeholders', async () => {
  const { ask } = await conversationSetup();
  const create = async (name: string) =>
    (await ask(createSavedReply, { body: { name, text: 'Hello' } })).body.savedReply;
  const [{ id }] = [await create('Hours'), await create('Prices')];
  const change = (body: object) => ask(updateSavedReply, { params: { saved_reply_id: id }, body });

  expect((await change({ text: 'Hi, {{customerName}}' })).body.savedReply).toMatchObject({
    name: 'Hours',
    text: 'Hi, {{customerName}}',
  });
  expect((await change({ name: 'Prices' })).status).toBe(409);
  expect((await change({ text: '{{tone}}' })).status).toBe(400);
  expect((await change({ name: 'Opening hours' })).body.savedReply).toMatchObject({
    name: 'Opening hours',
    text: 'Hi, {{customerName}}',
  });
  expect((await create('Hours')).name).toBe('Hours');
});
