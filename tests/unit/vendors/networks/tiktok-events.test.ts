import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import * as tiktok from '#lib/vendors/networks/tiktok/events.ts';
import { firstDocument, hold, useFakeSecrets } from '#tests/support/fake-secrets.ts';

const account = 'act.example12345Example12345Example';

/** TikTok sends `content` as JSON text inside the JSON body. */
function delivered(event: string, content: string, more: object = {}): Buffer {
  return Buffer.from(
    JSON.stringify({
      client_key: 'aw123',
      event,
      create_time: 1_784_928_224,
      user_openid: account,
      content,
      ...more,
    }),
  );
}

const message = {
  from: 'customer_handle',
  to: 'business_handle',
  unique_identifier: 'hashed-id-of-the-customer',
  from_user: { id: 'hashed-id-of-the-customer', role: 'personal_account' },
  to_user: { id: account, role: 'business_account' },
  conversation_id: 'u5JhpselBAhoPOlnH0tZ9y07kg==',
  message_id: 'u5Buqc6lAghuOelnHUZV88DK2A==',
  timestamp: 1_784_928_224_372,
  type: 'text',
  text: { body: 'How much is it?' },
};
const comment =
  '{"comment_id":7412345678901234567,"video_id":7400000000000000001,"parent_comment_id":0,' +
  '"comment_type":"comment","comment_action":"insert","timestamp":1784928224,' +
  '"unique_identifier":"customer-1","text":"Nice!"}';

describe('parseEvents for TikTok', () => {
  test('returns a direct message with the conversation id as the customer id', () => {
    expect(tiktok.parseEvents(delivered('im_receive_msg', JSON.stringify(message)))).toEqual([
      {
        eventId: `message-${message.message_id}`,
        platformUserId: account,
        type: 'message',
        channel: 'DIRECT_MESSAGE',
        from: { id: message.conversation_id, name: 'customer_handle' },
        to: undefined,
        text: 'How much is it?',
        messageId: message.message_id,
        isEcho: false,
        occurredAt: '2026-07-24T21:23:44.372Z',
      },
    ]);
  });

  test('marks messages from the account itself as echoes', () => {
    const own = {
      ...message,
      from: message.to,
      to: message.from,
      from_user: message.to_user,
      to_user: message.from_user,
    };

    expect(tiktok.parseEvents(delivered('im_send_msg', JSON.stringify(own)))).toMatchObject([
      {
        isEcho: true,
        from: { id: account, name: 'business_handle' },
        to: { id: message.conversation_id, name: 'customer_handle' },
      },
    ]);
  });

  test('returns a message without text', () => {
    const content = JSON.stringify({ ...message, type: 'image', text: undefined });

    expect(tiktok.parseEvents(delivered('im_receive_msg', content))).toMatchObject([{ text: '' }]);
  });

  test('returns a comment with all digits of its ids', () => {
    expect(tiktok.parseEvents(delivered('comment.update', comment))).toEqual([
      {
        eventId: 'comment-7412345678901234567',
        platformUserId: account,
        type: 'comment',
        channel: 'COMMENT',
        from: { id: 'customer-1', name: 'customer-1' },
        to: undefined,
        text: 'Nice!',
        messageId: '7412345678901234567',
        platformPostId: '7400000000000000001',
        isEcho: false,
        occurredAt: '2026-07-24T21:23:44.000Z',
      },
    ]);
  });

  test('returns a comment whose delivery has neither text nor author', () => {
    const bare = comment.replace(/,"unique_identifier".*/, '}');

    expect(tiktok.parseEvents(delivered('comment.update', bare))).toMatchObject([
      {
        type: 'comment',
        messageId: '7412345678901234567',
        text: '',
        from: { id: '' },
        isEcho: false,
      },
    ]);
  });

  test('returns the parent of a comment and whether the account wrote it', () => {
    const reply = comment
      .replace('"parent_comment_id":0', '"parent_comment_id":7412345678901234566')
      .replace('customer-1', account);

    expect(tiktok.parseEvents(delivered('comment.update', reply))).toMatchObject([
      { parentId: '7412345678901234566', isEcho: true },
    ]);
  });

  test('returns the withdrawal of a deleted comment', () => {
    const [added] = tiktok.parseEvents(delivered('comment.update', comment));
    const deleted = delivered('comment.update', comment.replace('insert', 'delete'));

    expect(tiktok.parseEvents(deleted)).toMatchObject([
      { eventId: `${added?.eventId}-withdraw`, messageId: added?.messageId, action: 'withdraw' },
    ]);
  });

  test.each([
    [
      'post.publish.complete',
      { publish_id: 'v_pub_url~v2.1', publish_type: 'DIRECT_PUBLISH' },
      'published',
    ],
    [
      'post.publish.failed',
      { publish_id: 'v_pub_url~v2.1', reason: 'video_pull_failed' },
      'failed',
    ],
    ['post.publish.publicly_available', { publish_id: 'v_pub_url~v2.1', post_id: '77' }, 'public'],
  ])('returns the state of a publication (%s)', (event, content, state) => {
    expect(tiktok.parseEvents(delivered(event, JSON.stringify(content)))).toMatchObject([
      {
        type: 'publication',
        messageId: 'v_pub_url~v2.1',
        details: { publishId: 'v_pub_url~v2.1', state },
      },
    ]);
  });

  test('returns the id of a public post and the reason of a failed one', () => {
    const open = '{"publish_id":"p","post_id":7400000000000000001}';
    const failed = '{"publish_id":"p","reason":"file_format_check_failed"}';

    expect(tiktok.parseEvents(delivered('post.publish.publicly_available', open))).toMatchObject([
      { platformPostId: '7400000000000000001' },
    ]);
    expect(tiktok.parseEvents(delivered('post.publish.failed', failed))).toMatchObject([
      { details: { reason: 'file_format_check_failed' } },
    ]);
  });

  test('returns a deauthorized event when an account withdraws its consent', () => {
    expect(tiktok.parseEvents(delivered('authorization.removed', '{"reason":1}'))).toMatchObject([
      { type: 'deauthorized', platformUserId: account },
    ]);
  });

  test.each([
    ['im_mark_read_msg', '{}'],
    ['im_receive_msg', '{}'],
    ['comment.update', comment.replace('insert', 'set_to_hidden')],
    ['comment.update', '{}'],
    ['post.publish.complete', '{}'],
    ['video.upload.failed', '{"share_id":"video.6974245311675353080.VDCxrcMJ"}'],
  ])('ignores irrelevant or incomplete events (%s)', (event, content) => {
    expect(tiktok.parseEvents(delivered(event, content))).toEqual([]);
  });

  test.each(['', 'no JSON', '[]', '{"event":7}'])('throws a SyntaxError for %j', (body) => {
    expect(() => tiktok.parseEvents(Buffer.from(body))).toThrow(SyntaxError);
  });
});

describe('verifySignature for TikTok', () => {
  const body = delivered('comment.update', comment);
  const seconds = 1_784_928_224;
  const sign = (at: number | string, secret = 'business-secret', signed = body) =>
    `t=${at},s=${createHmac('sha256', secret).update(`${at}.`).update(signed).digest('hex')}`;
  const verify = (signature: string | undefined, rawBody = body) =>
    tiktok.verifySignature(rawBody, { 'tiktok-signature': signature });

  useFakeSecrets({
    ...firstDocument,
    networks: {
      TIKTOK: {
        clientId: 'id',
        clientSecret: 'client-secret',
        business: { clientId: 'business-id', clientSecret: 'business-secret' },
      },
    },
  });
  beforeEach(() => {
    setClock(() => seconds * 1_000);
  });

  test.each([0, -300, 300])('accepts a signature that is %i seconds old', async (age) => {
    expect(await verify(sign(seconds - age))).toBe(true);
  });

  test.each([
    ['no value', undefined],
    ['an old time', sign(seconds - 301)],
    ['a future time', sign(seconds + 301)],
    ['another time than the signed one', sign(seconds).replace(`t=${seconds}`, `t=${seconds + 1}`)],
    ['another secret', sign(seconds, 'another')],
    ['no time', sign(seconds).replace(/^t=\d+,/, '')],
    ['an empty time', sign('')],
  ])('rejects a signature with %s', async (_what, signature) => {
    expect(await verify(signature)).toBe(false);
  });

  test.each([
    ['comment.update', false, true],
    ['im_receive_msg', false, true],
    ['post.publish.complete', true, false],
    ['authorization.removed', true, true],
  ])('accepts %s only from the app that sends it', async (event, isFromOwnApp, isFromBusiness) => {
    const delivery = delivered(event, '{}');
    const verifyWith = (secret: string) => verify(sign(seconds, secret, delivery), delivery);

    expect(await verifyWith('client-secret')).toBe(isFromOwnApp);
    expect(await verifyWith('business-secret')).toBe(isFromBusiness);
  });

  test('rejects messages while the secret has no Business app', async () => {
    forgetSecrets();
    hold({
      ...firstDocument,
      networks: { TIKTOK: { clientId: 'id', clientSecret: 'client-secret' } },
    });

    expect(await verify(sign(seconds))).toBe(false);
    expect(await verify(sign(seconds, 'client-secret'))).toBe(false);
  });

  test('rejects a signature for another body', async () => {
    expect(await verify(sign(seconds), Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
  });

  test('answerChallenge ignores all calls, because TikTok has no handshake', async () => {
    expect(await tiktok.answerChallenge({})).toBeUndefined();
  });
});
