import { describe, expect, it } from 'vitest';
import {
  counted,
  readConversationCount,
} from '#lib/features/conversations/conversation-counters.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import {
  closeConversation,
  pauseConversation,
  resumeConversation,
} from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { conversationSetup } from './setup.ts';

const { owner, outcomeOf } = await conversationSetup();

describe('a conversation', () => {
  it("keeps the number of the agent's answers when it is paused, resumed and closed", async () => {
    const conversation = await storeConversation(owner.organizationId, { responseCount: 3 });
    const changes = [pauseConversation, resumeConversation, closeConversation, resumeConversation];

    for (const change of changes) {
      expect(await outcomeOf(change, conversation)).toHaveProperty('responseCount', 3);
    }
  });

  it('is counted once in its final state after concurrent pauses and resumes', async () => {
    const { organizationId } = await newAccount();
    const conversation = await storeConversation(organizationId);
    const { pauseConversation: pause, resumeConversation: resume } = await import(
      '#lib/features/conversations/conversations.ts'
    );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? pause : resume)(organizationId, conversation.id, noExtraWrites),
      ),
    );
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);

    const { status } = await pause(organizationId, conversation.id, noExtraWrites);

    const count = (name: string) => readConversationCount(organizationId, counted.all, name);
    expect(status).toBe('PAUSED');
    expect([await count('status_PAUSED'), await count('status_OPEN')]).toEqual([1, 0]);
    expect(await count('total')).toBe(1);
    const { TABLE_NAME: tableName = '', DYNAMODB_ENDPOINT: endpoint } = process.env;
    const differences = await recount({ tableName, endpoint });
    expect(differences.filter(({ key }) => key.pk.includes('CONVERSATION'))).toEqual([]);
  });
});
