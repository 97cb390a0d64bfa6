import { describe, expect, it } from 'vitest';
import { getConversation } from '#schemas/conversations.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { conversationSetup } from './setup.ts';

const world = await conversationSetup();

describe('a conversation of any length', () => {
  it('returns the latest messages that fit into the response', async () => {
    const { organizationId, token } = await newAccount();
    const conversation = await storeConversation(organizationId);
    // In a Lambda response, a quote takes four bytes.
    const texts = Array.from({ length: 80 }, (_, index) => `${'"'.repeat(20_000)}${index}`);
    for (const text of texts) {
      await storeMessage(conversation, { text });
    }

    const params = { organization_id: organizationId, conversation_id: conversation.id };
    const { body } = await call(getConversation, { params, token });

    const shown = body.conversation.messages.map(({ text }: { text: string }) => text);
    expect(shown.length).toBeGreaterThan(60);
    expect(shown.length).toBeLessThan(80);
    expect(shown).toEqual(texts.slice(-shown.length));
  });
});

describe('a conversation', () => {
  it('returns its latest hundred messages in the order they were written', async () => {
    const conversation = await storeConversation(world.owner.organizationId);
    for (let number = 0; number < 103; number += 1) {
      await storeMessage(conversation, { text: String(number) });
    }

    const { messages, ...shown } = await world.outcomeOf(getConversation, conversation);

    expect(messages.map(({ text }: { text: string }) => Number(text))).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 3),
    );
    expect(shown).toMatchObject({
      id: conversation.id,
      socialAccountId: conversation.socialAccountId,
      customer: conversation.customer,
      controller: 'BOT',
      status: 'OPEN',
      stopReason: null,
      responseCount: 0,
    });
  });
});
