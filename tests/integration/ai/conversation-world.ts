import { expect } from 'vitest';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import type { Contract } from '#schemas/contract.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

export type ConversationWorld = Awaited<ReturnType<typeof conversationWorld>>;

/** Creates an organization, unless it exists, and calls operations on its conversations. */
export async function conversationWorld(existing?: Account) {
  const owner = existing ?? (await newAccount());

  function ask(contract: Contract, { params, ...options }: Call = {}): Promise<Answer> {
    return call(contract, {
      token: owner.token,
      params: { organization_id: owner.organizationId, ...params },
      ...options,
    });
  }

  /** Returns the result of an operation on a conversation. */
  async function outcomeOf(
    contract: Contract,
    { id }: Conversation,
    options: Call = {},
  ): Promise<Answer['body']> {
    const answer = await ask(contract, { params: { conversation_id: id }, ...options });
    expect(answer.status).toBe(200);

    return answer.body.conversation;
  }

  return { owner, ask, outcomeOf };
}
