import { describe, expect, test } from 'vitest';
import { networkOf } from '#tests/support/networks.ts';
import { connect, failureOf, pass, sandbox, useSandbox } from './setup.ts';

useSandbox();

const ada = { id: 'customer-1', name: 'Ada' };
const hourMs = 3_600_000;
const buttons = [
  { label: 'Prices', url: 'https://example.com/prices?a=1' },
  { label: 'Call me', reply: 'Please call me' },
];
const shown = [
  { label: 'Prices', url: 'https://example.com/prices?a=1', reply: null },
  { label: 'Call me', url: null, reply: 'Please call me' },
];

describe.each(['FACEBOOK', 'INSTAGRAM'] as const)('%s', (platform) => {
  const network = sandbox.network(platform);
  const adapter = networkOf(platform);
  const event = { userId: 'account-1', from: ada, text: 'Hi', deliveries: 0 };

  async function answerComment() {
    const credentials = await connect(platform, 'account-1');
    const { eventId: commentId } = await network.sendEvent({ ...event, type: 'comment' });
    const message = { commentId, text: 'Hello', echoTag: 'tag', buttons };
    const sent = await adapter.privateReply(credentials, message);

    return { credentials, commentId, replyId: sent.id };
  }

  test('sends buttons in a private message', async () => {
    const credentials = await connect(platform, 'account-1');
    await network.sendEvent({ ...event, type: 'message' });

    const message = { to: ada.id, text: 'Hello', echoTag: 'tag', buttons };
    const { id } = await adapter.sendDirectMessage(credentials, message);

    expect(await network.replies('account-1')).toMatchObject([
      { id, kind: 'message', text: 'Hello', inReplyTo: null, attachments: [], buttons: shown },
    ]);
  });

  test('sends buttons in a private reply to a comment', async () => {
    const { commentId } = await answerComment();

    expect(await network.replies('account-1')).toMatchObject([
      { kind: 'message', text: 'Hello', inReplyTo: commentId, buttons: shown },
    ]);
  });

  test('a tap is a message with title and reply of the button, and opens the reply window', async () => {
    const { credentials, replyId } = await answerComment();
    const send = () =>
      adapter.sendDirectMessage(credentials, { to: ada.id, text: 'Yes', echoTag: 'tag' });
    expect(await failureOf(send())).toMatchObject({ message: expect.stringContaining('window') });
    const tap = { userId: 'account-1', from: ada, replyId, label: 'Call me', eventId: 'tap-1' };

    const { delivery } = await network.tap({ ...tap, deliveries: 0 });

    const body = Buffer.from(delivery?.body ?? '');
    expect(JSON.parse(body.toString()).entry[0].messaging[0].postback).toEqual({
      mid: 'tap-1',
      title: 'Call me',
      payload: 'Please call me',
    });
    expect(await adapter.verifySignature(body, delivery?.headers ?? {})).toBe(true);
    expect(adapter.parseEvents(body)).toMatchObject([
      {
        eventId: 'tap-1',
        messageId: 'tap-1',
        type: 'message',
        channel: 'DIRECT_MESSAGE',
        platformUserId: 'account-1',
        from: { id: ada.id },
        text: 'Call me',
        tapped: 'Please call me',
        isEcho: false,
      },
    ]);
    expect(await send()).toHaveProperty('id');
    pass(25 * hourMs);
    expect(await failureOf(send())).toMatchObject({ message: expect.stringContaining('window') });
  });

  test.each([
    [
      { title: 'Prices', payload: 'FLOW_17' },
      { text: 'Prices', tapped: 'FLOW_17' },
    ],
    [{ title: 'Prices' }, { text: 'Prices' }],
    [{ payload: 'GET_STARTED' }, { text: '', tapped: 'GET_STARTED' }],
    [
      { mid: null, title: 'Prices', payload: null },
      { eventId: 'postback-9-7', text: 'Prices' },
    ],
  ])('the text of a tap is the title: %j', (postback, event) => {
    const object = platform === 'FACEBOOK' ? 'page' : 'instagram';
    const tap = { sender: { id: 9 }, timestamp: 7, postback: { mid: 'm', ...postback } };
    const body = { object, entry: [{ id: 'account-1', messaging: [tap] }] };

    expect(adapter.parseEvents(Buffer.from(JSON.stringify(body)))).toMatchObject([
      { type: 'message', ...event },
    ]);
  });

  test('a quick reply has its title as text, and its payload is not read', () => {
    const object = platform === 'FACEBOOK' ? 'page' : 'instagram';
    const message = { mid: 'm', text: 'Red', quick_reply: { payload: 'COLOR_RED' } };
    const body = { object, entry: [{ id: 'a', messaging: [{ sender: { id: '9' }, message }] }] };
    const events = adapter.parseEvents(Buffer.from(JSON.stringify(body)));

    expect(events).toMatchObject([{ text: 'Red' }]);
    expect(JSON.stringify(events)).not.toContain('COLOR_RED');
  });

  test('a reply to a story has the story with its text', async () => {
    await connect(platform, 'account-1');
    const { delivery } = await network.sendEvent({
      ...event,
      type: 'message',
      attachments: [{ kind: 'story', url: 'https://cdn.example.com/story' }],
    });

    const body = Buffer.from(delivery?.body ?? '');
    expect(JSON.parse(body.toString()).entry[0].messaging[0].message).toMatchObject({
      text: 'Hi',
      reply_to: { story: { id: expect.any(String), url: 'https://cdn.example.com/story' } },
    });
    expect(adapter.parseEvents(body)).toMatchObject([
      {
        channel: 'DIRECT_MESSAGE',
        text: 'Hi',
        attachments: [{ kind: 'STORY', url: 'https://cdn.example.com/story' }],
      },
    ]);
  });
});
