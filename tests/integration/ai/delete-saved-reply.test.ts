import { expect, it } from 'vitest';
import { quotas } from '#schemas/quotas.ts';
import { createSavedReply, deleteSavedReply } from '#schemas/saved-replies.ts';
import { conversationSetup } from './setup.ts';

it('deleteSavedReply releases the name and the quota', async () => {
  const { ask } = await conversationSetup();
  process.env[quotas.savedReplies.variable] = '1';
  const create = () => ask(createSavedReply, { body: { name: 'Hours', text: 'Hello' } });
  const params = { saved_reply_id: (await create()).body.savedReply.id };
  const removed = await ask(deleteSavedReply, { params });
  const again = await ask(deleteSavedReply, { params });
  const created = await create();
  process.env[quotas.savedReplies.variable] = '';

  expect([removed.status, again.status, created.status]).toEqual([200, 404, 201]);
});
