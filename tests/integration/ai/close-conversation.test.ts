import { describe, expect, it } from 'vitest';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import {
  planConversationChange,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import { type Inbound, recordInbound } from '#lib/features/conversations/inbound/record-inbound.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  closeConversation,
  pauseConversation,
  resumeConversation,
} from '#schemas/conversations.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { conversationsOf, messageEvent } from '#tests/support/network-events.ts';
import { conversationSetup } from './setup.ts';

const world = await conversationSetup();

describe('a conversation', () => {
  it("is reopened by the customer's next message after a person closed it", async () => {
    const account = await storeSocialAccount(world.owner.organizationId);
    const customer = `customer-${newId()}`;
    const says = (text: string) => {
      const event = messageEvent(account, customer, { text }) as Inbound;

      return recordInbound(account, event, newId());
    };
    const read = async () => (await conversationsOf(world.owner, account))[0] as Conversation;
    await says('What does an engine cost?');
    const before = await requireConversation(world.owner.organizationId, (await read()).id);
    await write(
      ...planConversationChange(before, { ...before, stopReason: 'NO_CREDITS', replyToken: 'x' }),
    );

    const over = { controller: 'BOT', status: 'CLOSED', stopReason: null };
    expect(await world.outcomeOf(closeConversation, before)).toMatchObject(over);
    expect(await world.outcomeOf(closeConversation, before)).toMatchObject(over);
    const stored = await requireConversation(world.owner.organizationId, before.id);
    expect(stored).not.toHaveProperty('replyToken');
    expect(stored.controlVersion).toBe(before.controlVersion + 1);
    await says('And two?');
    expect(await read()).toMatchObject({ id: before.id, controller: 'BOT', status: 'OPEN' });
    await world.outcomeOf(closeConversation, before);
    expect((await world.outcomeOf(pauseConversation, before)).status).toBe('PAUSED');
    await world.outcomeOf(closeConversation, before);
    expect((await world.outcomeOf(resumeConversation, before)).status).toBe('OPEN');
  });
});
