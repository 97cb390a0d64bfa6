import { describe, expect, it } from 'vitest';
import {
  counted,
  readConversationCount,
} from '#lib/features/conversations/conversation-counters.ts';
import { newId } from '#lib/platform/ids.ts';
import { rateConversation } from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { conversationSetup } from './setup.ts';

const world = await conversationSetup();

describe('a conversation', () => {
  it('accepts ratings from 1 to 5, of which the latest counts for its campaign', async () => {
    const campaignId = newId();
    const conversation = await storeConversation(world.owner.organizationId, {
      campaignId,
    });
    const params = { conversation_id: conversation.id };
    for (const rating of [0, 6, 2.5, '5']) {
      expect((await world.ask(rateConversation, { params, body: { rating } })).status).toBe(400);
    }

    await world.outcomeOf(rateConversation, conversation, { params, body: { rating: 2 } });
    const rated = await world.outcomeOf(rateConversation, conversation, {
      params,
      body: { rating: 5 },
    });

    expect(rated.rating).toBe(5);
    const ofCampaign = (name: string) =>
      readConversationCount(world.owner.organizationId, counted.campaign(campaignId), name);
    expect([await ofCampaign('ratings'), await ofCampaign('ratingSum')]).toEqual([1, 5]);
  });
});
