import { describe, expect, test } from 'vitest';
import { recordMessageNotSent } from '#lib/features/conversations/outbound/message-outcome.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { resumeConversation } from '#schemas/conversations.ts';
import { convertConversation, getLead, listPipelines } from '#schemas/leads.ts';
import { storeMessage } from '#scripts/fixtures/conversations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { messageEvent } from '#tests/support/network-events.ts';
import { deliverEvents, personReplySetup, sentBy, takenOver } from './setup.ts';

const world = await personReplySetup();

describe('an echo', () => {
  test.each([
    [
      'by the metadata sent with it',
      (text: string, echoTag: string) => ({ text: `${text}!`, echoTag }),
    ],
    ['by the id that the network returned', (text: string) => ({ text })],
  ])('of our own message is recognized %s', async (how, change) => {
    const { account, conversation, customer } = await world.startConversation();
    const { body } = await world.reply(conversation);
    await call(resumeConversation, world.replyCall(conversation.id, ''));
    const [sent] = await sentBy(account);
    const messageId = how.includes('along') ? `other-${account.id}` : String(sent?.id);

    await deliverEvents(
      account,
      messageEvent(account, customer.id, {
        isEcho: true,
        messageId,
        eventId: `echo-${account.id}`,
        ...change('Ten pounds.', `${conversation.id}/${body.reply.id}`),
      }),
    );

    const shown = await world.only(account);
    expect(shown).toMatchObject({ controller: 'BOT', status: 'OPEN' });
    expect(shown.messages).toHaveLength(2);
  });

  test('that arrives before the send response is recognized by its text', async () => {
    const { account, conversation, customer } = await world.startConversation();
    const pending = await storeMessage(
      { ...conversation, organizationId: world.ada.organizationId, socialAccountId: account.id },
      { direction: 'OUT', author: 'BOT', status: 'PENDING', text: 'See https://a.example/b  now' },
    );

    await deliverEvents(
      account,
      messageEvent(account, customer.id, { isEcho: true, text: 'See https://t.co/x now' }),
    );

    const { controller, messages } = await world.only(account);
    expect(controller).toBe('BOT');
    expect(messages.at(-1)).toMatchObject({ id: pending.id, status: 'SENT' });
  });

  test('is not overwritten by a late failure of the send', async () => {
    const { account, conversation } = await world.startConversation();
    const { organizationId } = world.ada;
    const sent = await storeMessage(
      { ...conversation, organizationId, socialAccountId: account.id },
      { direction: 'OUT', author: 'HUMAN', status: 'SENT', text: 'Ten pounds.' },
    );
    await recordMessageNotSent(organizationId, sent, 'FAILED', 'No response');

    expect((await world.only(account)).messages.at(-1)).toMatchObject({ status: 'SENT' });
  });

  test('with unknown text waits while a message is being sent, then counts as a takeover', async () => {
    const { account, conversation, customer } = await world.startConversation();
    await storeMessage(
      { ...conversation, organizationId: world.ada.organizationId, socialAccountId: account.id },
      { direction: 'OUT', author: 'BOT', status: 'PENDING', text: 'Ten pounds.' },
    );

    await deliverEvents(
      account,
      messageEvent(account, customer.id, { isEcho: true, text: 'Call me' }),
    );
    expect((await world.only(account)).controller).toBe('BOT');
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    expect(await world.only(account)).toMatchObject(takenOver);
  });

  test('of a message that a person wrote on the network takes over the conversation, once', async () => {
    const { account, customer } = await world.startConversation();
    const echo = messageEvent(account, customer.id, { isEcho: true, text: 'Charles here' });

    await deliverEvents(account, echo, { ...echo, eventId: `again-${echo.eventId}` });

    const shown = await world.only(account);
    expect(shown).toMatchObject(takenOver);
    expect(shown.messages.slice(1)).toMatchObject([
      { direction: 'OUT', author: 'HUMAN', text: 'Charles here', status: 'SENT' },
    ]);
  });

  test('of a message that a person wrote on the network is not recorded with the lead', async () => {
    const { account, conversation, customer } = await world.startConversation();
    const inPath = { organization_id: world.ada.organizationId };
    const { token } = world.ada;
    const [pipeline] = (await call(listPipelines, { params: inPath, token })).body.pipelines;
    const body = { conversationId: conversation.id, pipelineId: pipeline.id, source: 'chat' };
    const { lead } = (await call(convertConversation, { params: inPath, token, body })).body;
    const read = async () =>
      (await call(getLead, { params: { ...inPath, lead_id: lead.id }, token })).body.lead;
    const before = await read();

    await deliverEvents(
      account,
      messageEvent(account, customer.id, { isEcho: true, text: 'Charles here' }),
    );

    expect((await world.only(account)).messages).toHaveLength(2);
    expect(await read()).toEqual(before);
  });

  test('of a comment takes over the conversation it replies to, or none if it is not a reply', async () => {
    const { account, eventId } = await world.startConversation({ type: 'comment' });
    const own = { id: account.platformUserId, name: '' };
    const comment = (overrides: Partial<NormalisedEvent>) =>
      messageEvent(account, '', {
        type: 'comment',
        channel: 'COMMENT',
        from: own,
        to: undefined,
        isEcho: true,
        ...overrides,
      });

    await deliverEvents(account, comment({ text: 'News' }));
    expect((await world.only(account)).controller).toBe('BOT');
    await deliverEvents(account, comment({ text: 'I know', parentId: eventId }));

    expect(await world.only(account)).toMatchObject(takenOver);
  });

  test('in a conversation that a person started stops the agent', async () => {
    const account = await connectedAccount(world.ada.organizationId);

    await deliverEvents(
      account,
      messageEvent(account, 'customer-x', { isEcho: true, text: 'Hello' }),
    );
    await deliverEvents(account, messageEvent(account, 'customer-x', { text: 'Hello yourself' }));

    const shown = await world.only(account);
    expect(shown).toMatchObject(takenOver);
    expect(shown.messages).toHaveLength(2);
  });
});
