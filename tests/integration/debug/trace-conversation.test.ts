import { describe, expect, it } from 'vitest';
import { planTrace } from '#lib/features/replies/trace.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { traceConversation } from '#schemas/conversations.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const owner = await newAccount();

function trace(conversationId: string) {
  const params = { organization_id: owner.organizationId, conversation_id: conversationId };

  return call(traceConversation, { params, token: owner.token });
}

describe('tracing a conversation', () => {
  it('returns how each message was handled', async () => {
    const conversation = await storeConversation(owner.organizationId);
    const message = await storeMessage(conversation);
    const entry = {
      messageId: message.id,
      type: 'message',
      lost: [],
      isNewLead: false,
      reply: { outcome: 'STOPPED', stopReason: 'NO_CREDITS' },
      createdAt: message.createdAt,
      updatedAt: timestamp(),
    } as const;
    await write(planTrace(owner.organizationId, conversation.id, entry));
    const { status, body } = await trace(conversation.id);

    expect(status).toBe(200);
    expect(body.trace).toMatchObject([
      { messageId: message.id, reply: { outcome: 'STOPPED', stopReason: 'NO_CREDITS' } },
    ]);
  });
});
