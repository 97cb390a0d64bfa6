import { expect, it } from 'vitest';
import { createSavedReply, listSavedReplies } from '#schemas/saved-replies.ts';
import { newMember } from '#tests/support/accounts.ts';
import { conversationSetup } from './setup.ts';

it('listSavedReplies returns all saved replies of the organization with their number, newest first', async () => {
  const { ask, owner } = await conversationSetup();
  const viewer = await newMember(owner, 'VIEWER');
  for (const name of ['first', 'second']) {
    await ask(createSavedReply, { body: { name, text: 'Hello' } });
  }
  const { body } = await ask(listSavedReplies, { token: viewer.token });

  expect(body.total).toBe(2);
  expect(body.savedReplies.map(({ name }: { name: string }) => name)).toEqual(['second', 'first']);
});
