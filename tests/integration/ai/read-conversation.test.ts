import { describe, expect, it } from 'vitest';
import { readConversation } from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { conversationSetup } from './setup.ts';

describe('POST /ai/conversations/{organization_id}/{conversation_id}/read', () => {
  it('sets unreadCount to 0, and keeps the customer waiting', async () => {
    const { owner, outcomeOf } = await conversationSetup();
    const unansweredSince = '2026-01-01T10:00:00.000Z';
    const conversation = await storeConversation(owner.organizationId, {
      controller: 'HUMAN',
      unansweredSince,
      unreadCount: 3,
    });

    for (let time = 0; time < 2; time += 1) {
      expect(await outcomeOf(readConversation, conversation)).toMatchObject({
        unreadCount: 0,
        waitingSince: unansweredSince,
      });
    }
  });
});
