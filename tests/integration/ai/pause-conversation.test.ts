import { describe, expect, it } from 'vitest';
import { pauseConversation, resumeConversation } from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { conversationSetup } from './setup.ts';

const world = await conversationSetup();

describe('a conversation', () => {
  it('is not answered by the agent while a person has paused it', async () => {
    const conversation = await storeConversation(world.owner.organizationId);

    expect(await world.outcomeOf(pauseConversation, conversation)).toMatchObject({
      controller: 'HUMAN',
      status: 'PAUSED',
      stopReason: 'HUMAN_TAKEOVER',
    });
    const paused = await world.outcomeOf(pauseConversation, conversation);
    expect(paused.status).toBe('PAUSED');
    expect(await world.outcomeOf(resumeConversation, conversation)).toMatchObject({
      controller: 'BOT',
      status: 'OPEN',
      stopReason: null,
    });
  });
});
