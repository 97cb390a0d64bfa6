import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as twitter from '#lib/vendors/networks/x/events.ts';
import { firstDocument, useFakeSecrets } from '#tests/support/fake-secrets.ts';

const account = '1111111111111111111';
const customer = '2222222222222222222';

function delivered(event_type: string, payload: object, more: object = {}): Buffer {
  const data = {
    event_uuid: '-6850472171600526495',
    filter: { user_id: account },
    event_type,
    tag: event_type,
    payload,
    ...more,
  };

  return Buffer.from(JSON.stringify({ data }));
}

function dm(sender: string, recipient: string, at = '1784928224372'): object {
  return {
    direct_message_events: [
      {
        type: 'message_create',
        id: '2080765901528535096',
        created_timestamp: at,
        message_create: {
          target: { recipient_id: recipient },
          sender_id: sender,
          message_data: { text: 'hello!', entities: { urls: [] } },
        },
      },
    ],
    users: {
      [customer]: { data: { id: customer, username: 'OtherUser', name: 'Other User' } },
      [account]: { data: { id: account, username: 'ExampleUser', name: 'Example User' } },
    },
  };
}

function post(more: object = {}): object {
  return {
    id: '2080765813578191303',
    author_id: customer,
    conversation_id: '2080765813578191303',
    created_at: '2026-07-24T21:23:23.000Z',
    text: 'hey @ExampleUser, A &amp; B &lt;3 https://t.co/xxxxxxxx https://t.co/mmmmmmmm',
    entities: {
      mentions: [{ start: 4, end: 16, username: 'ExampleUser', id: account }],
      urls: [
        { url: 'https://t.co/xxxxxxxx', expanded_url: 'https://example.com/a' },
        { url: 'https://t.co/mmmmmmmm', media_key: '3_1' },
      ],
    },
    ...more,
  };
}
const includes = { users: [{ id: customer, username: 'OtherUser', name: 'Other User' }] };

describe('parseEvents for X', () => {
  test('returns a direct message from a customer', () => {
    expect(twitter.parseEvents(delivered('dm.received', dm(customer, account)))).toEqual([
      {
        eventId: 'dm-2080765901528535096',
        platformUserId: account,
        type: 'message',
        channel: 'DIRECT_MESSAGE',
        from: { id: customer, name: 'Other User', username: 'OtherUser' },
        to: undefined,
        text: 'hello!',
        messageId: '2080765901528535096',
        isEcho: false,
        occurredAt: '2026-07-24T21:23:44.372Z',
      },
    ]);
  });

  test.each(['dm.sent', 'dm.received'])(
    'marks messages from the account as echoes (%s)',
    (type) => {
      expect(twitter.parseEvents(delivered(type, dm(account, customer)))).toMatchObject([
        { isEcho: true, from: { id: account }, to: { id: customer, name: 'Other User' } },
      ]);
    },
  );

  test('keeps the picture of an author', () => {
    const users = [{ ...includes.users[0], profile_image_url: 'https://pbs.twimg.com/1.png' }];
    const event = delivered('post.mention.create', post(), { includes: { users } });

    expect(twitter.parseEvents(event)).toMatchObject([
      { from: { username: 'OtherUser', avatarUrl: 'https://pbs.twimg.com/1.png' } },
    ]);
  });

  test('returns a mention in the post of another user', () => {
    expect(twitter.parseEvents(delivered('post.mention.create', post(), { includes }))).toEqual([
      {
        eventId: 'post-2080765813578191303',
        platformUserId: account,
        type: 'mention',
        channel: 'POST',
        from: { id: customer, name: 'Other User', username: 'OtherUser' },
        to: undefined,
        text: 'hey @ExampleUser, A & B <3 https://example.com/a',
        messageId: '2080765813578191303',
        platformPostId: '2080765813578191303',
        isEcho: false,
        occurredAt: '2026-07-24T21:23:23.000Z',
      },
    ]);
  });

  test('returns a reply to the account as a comment, with one event id for all event types', () => {
    const reply = post({
      conversation_id: '100',
      in_reply_to_user_id: account,
      referenced_tweets: [{ type: 'replied_to', id: '150' }],
    });
    const told = ['post.mention.create', 'post.reply.create'].flatMap((type) =>
      twitter.parseEvents(delivered(type, reply, { event_uuid: type, includes })),
    );

    expect(told).toMatchObject([
      { type: 'comment', channel: 'COMMENT', platformPostId: '100', parentId: '150' },
      { type: 'comment', channel: 'COMMENT', platformPostId: '100', parentId: '150' },
    ]);
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(1);
  });

  test.each([
    { in_reply_to_tweet_id: '150' },
    { in_reply_to_post_id: '150' },
    {
      referenced_posts: [
        { type: 'quoted', id: '9' },
        { type: 'replied_to', id: '150' },
      ],
    },
  ])('recognizes a reply by %o', (reference) => {
    const reply = post({ in_reply_to_user_id: account, conversation_id: '100', ...reference });

    expect(twitter.parseEvents(delivered('post.reply.create', reply))).toMatchObject([
      { type: 'comment', channel: 'COMMENT', platformPostId: '100', parentId: '150' },
    ]);
  });

  test('returns a mention in a reply to another user as a mention in a comment', () => {
    const reply = post({
      in_reply_to_user_id: '3333',
      referenced_tweets: [{ type: 'replied_to', id: '150' }],
    });

    expect(twitter.parseEvents(delivered('post.mention.create', reply))).toMatchObject([
      { type: 'mention', channel: 'COMMENT', from: { id: customer, name: customer } },
    ]);
  });

  test.each([
    ['post.mention.create', customer, { referenced_tweets: [{ type: 'retweeted', id: '150' }] }],
    ['post.quote.create', customer, { referenced_posts: [{ type: 'retweeted', id: '150' }] }],
    ['post.create', account, { referenced_tweets: [{ type: 'retweeted', id: '150' }] }],
  ])(
    'ignores a repost, because it has no text of its author (%s)',
    (type, author_id, reference) => {
      expect(twitter.parseEvents(delivered(type, post({ author_id, ...reference })))).toEqual([]);
    },
  );

  test('returns a quote with the text of its author', () => {
    const quote = post({ referenced_tweets: [{ type: 'quoted', id: '150' }] });

    expect(twitter.parseEvents(delivered('post.quote.create', quote))).toMatchObject([
      { type: 'mention', channel: 'POST', text: expect.stringContaining('hey @ExampleUser') },
    ]);
  });

  test.each(['note_tweet', 'note_post'])('returns the whole text of a long post (%s)', (name) => {
    const note = {
      text: 'The whole text &amp; https://t.co/nnnnnnnn',
      entities: { urls: [{ url: 'https://t.co/nnnnnnnn', expanded_url: 'https://example.com/n' }] },
    };
    const long = post({ text: 'The whole…', [name]: note });

    expect(twitter.parseEvents(delivered('post.mention.create', long))).toMatchObject([
      { text: 'The whole text & https://example.com/n' },
    ]);
  });

  test('marks posts of the account itself as echoes', () => {
    const own = delivered('post.create', post({ author_id: account }));

    expect(twitter.parseEvents(own)).toMatchObject([{ type: 'post', isEcho: true }]);
  });

  test('returns a deauthorized event when an account withdraws its consent', () => {
    const payload = {
      date_time: '2026-07-23T21:44:05+00:00',
      user_id: account,
      app_id: '29820954',
    };

    expect(twitter.parseEvents(delivered('oauth.revoke', payload, { filter: {} }))).toMatchObject([
      { type: 'deauthorized', platformUserId: account, occurredAt: '2026-07-23T21:44:05.000Z' },
    ]);
  });

  test.each([
    ['post.delete', { id: '1', author_id: account }],
    ['like.create', { id: '1' }],
    ['dm.received', {}],
    ['post.create', {}],
    ['oauth.revoke', {}],
  ])('ignores irrelevant or incomplete events (%s)', (type, payload) => {
    expect(twitter.parseEvents(delivered(type, payload))).toEqual([]);
  });

  test.each(['', 'no JSON', '[]', '{"data":{}}'])('throws a SyntaxError for %j', (body) => {
    expect(() => twitter.parseEvents(Buffer.from(body))).toThrow(SyntaxError);
  });
});

describe('signatures and challenges of X', () => {
  const body = delivered('dm.received', dm(customer, account));
  const signed = (secret: string) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`;
  const verify = (signature: string | undefined, rawBody = body) =>
    twitter.verifySignature(rawBody, { 'x-twitter-webhooks-signature': signature });

  const TWITTER = { clientId: 'id', clientSecret: 'oauth', webhookSecret: 'consumer' };
  useFakeSecrets({ ...firstDocument, networks: { TWITTER } });

  test('verifySignature accepts a signature with the consumer secret', async () => {
    expect(await verify(signed('consumer'))).toBe(true);
  });

  test.each([
    ['no value', undefined, body],
    ['the OAuth 2 secret', signed('oauth'), body],
    ['another prefix', signed('consumer').replace('sha256=', 'sha1='), body],
    ['another body', signed('consumer'), Buffer.concat([body, Buffer.from(' ')])],
  ])('verifySignature rejects a signature with %s', async (_what, signature, rawBody) => {
    expect(await verify(signature, rawBody)).toBe(false);
  });

  test('answerChallenge returns the signed challenge and ignores other calls', async () => {
    const digest = createHmac('sha256', 'consumer').update('a-challenge').digest('base64');

    expect(await twitter.answerChallenge({ crc_token: 'a-challenge' })).toEqual({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ response_token: `sha256=${digest}` }),
    });
    expect(await twitter.answerChallenge({ 'hub.mode': 'subscribe' })).toBeUndefined();
  });
});
