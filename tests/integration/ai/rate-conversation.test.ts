import { describe, expect, it } from 'vitest';
import { type AnswerCountsOf, readAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import {
  counted,
  readConversationCount,
} from '#lib/features/conversations/conversation-counters.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { rateConversation } from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { conversationSetup } from './setup.ts';

const world = await conversationSetup();

function newResponder() {
  return { agentId: newId(), template: { id: newId(), kind: 'TEMPLATE' } } as const;
}

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

  it('counts its rating for the agent and template that answered last, or for nobody', async () => {
    const { organizationId } = world.owner;
    const [first, second, planned] = [newResponder(), newResponder(), newResponder()];
    const conversation = await storeConversation(organizationId, { ...first, responseCount: 1 });
    const unanswered = await storeConversation(organizationId, { ...planned, responseCount: 0 });
    const rate = ({ id }: Conversation, rating: number) =>
      world.ask(rateConversation, { params: { conversation_id: id }, body: { rating } });
    const ratings = () =>
      Promise.all(
        [first, second, planned].map(async ({ agentId, template }) => [
          await ratingsOf('AGENT', agentId),
          await ratingsOf(template.kind, template.id),
        ]),
      );
    const ratingsOf = async (of: AnswerCountsOf, id: string) => {
      const [counts] = await readAnswerCounts(organizationId, of, [id]);

      return [counts?.ratings ?? 0, counts?.ratingSum ?? 0];
    };
    const [none, two, five] = [
      [0, 0],
      [1, 2],
      [1, 5],
    ].map((counts) => [counts, counts]);

    await rate(unanswered, 3);
    await rate(conversation, 2);
    expect(await ratings()).toEqual([two, none, none]);
    await write(change(keys.conversation(organizationId, conversation.id), { set: second }));
    await rate(conversation, 5);

    expect(await ratings()).toEqual([none, five, none]);
  });
});
