import { expect, it } from 'vitest';
import { quotas } from '#schemas/quotas.ts';
import { createSavedReply } from '#schemas/saved-replies.ts';
import { conversationSetup } from './setup.ts';

it('createSavedReply stores a reply with placeholders', async () => {
  const { ask } = await conversationSetup();
  const text = '{{companyName}} {{ customerName }} {{platform}} {{currentDate}} {{language}}';
  const { status, body } = await ask(createSavedReply, { body: { name: ' Hours ', text } });

  expect(status).toBe(201);
  expect(body.savedReply).toEqual({
    id: expect.any(String),
    name: 'Hours',
    text,
    createdAt: expect.any(String),
    updatedAt: body.savedReply.createdAt,
  });
});

it('createSavedReply returns 400 for unknown placeholders', async () => {
  const { ask } = await conversationSetup();
  const body = { name: 'Hours', text: '{{customerName}} {{products}} {{discount}}' };

  expect((await ask(createSavedReply, { body })).body.message).toEqual([
    expect.stringMatching(/^text has unknown placeholders: products, discount\./),
  ]);
});

it('createSavedReply returns 409 for a taken name, and when the quota is exceeded', async () => {
  const { ask } = await conversationSetup();
  const create = (name: string) => ask(createSavedReply, { body: { name, text: 'Hello' } });
  await create('Hours');
  expect((await create('Hours')).body).toMatchObject({
    statusCode: 409,
    message: 'Saved reply name already exists',
  });

  process.env[quotas.savedReplies.variable] = '2';
  const answers = await Promise.all(['a', 'b', 'c'].map(create));
  process.env[quotas.savedReplies.variable] = '';
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});
