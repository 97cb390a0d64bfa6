import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { recordMessageLost } from '#lib/features/conversations/outbound/message-outcome.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { replyToConversation } from '#schemas/conversations.ts';
import { deleteMedia } from '#schemas/media.ts';
import { storeMessage } from '#scripts/fixtures/conversations.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { storeMedia, storeUpload } from '#scripts/fixtures/media.ts';
import type { Signed } from '#scripts/fixtures/network-events.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { mp4 } from '#tests/support/media-files.ts';
import { deliver, messageEvent } from '#tests/support/network-events.ts';
import { overtake } from '#tests/support/overtake.ts';
import { drainWork } from '#tests/support/work.ts';
import { deliverEvents, personReplySetup, sentBy, takenOver } from './setup.ts';

const world = await personReplySetup();

const image = jpeg({ width: 300, height: 200 });
const video = mp4({ videoBytes: 50_000 });
const aVideo = { kind: 'VIDEO', contentType: 'video/mp4' } as const;
const text = 'Ten pounds.';

function sha256(content: Buffer | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function medium(): ReturnType<typeof storeMedia> {
  return storeMedia(world.ada.organizationId, {}, image);
}

function reply(conversationId: string, body: object, headers = {}): Promise<Answer> {
  const { params, token } = world.replyCall(conversationId, '');

  return call(replyToConversation, { params, token, body, headers });
}

async function downloaded(url: string): Promise<string> {
  return sha256(Buffer.from(await (await fetch(url)).arrayBuffer()));
}

async function lastMessage(account: SocialAccount) {
  return (await world.only(account)).messages.at(-1);
}

const toMessages = { service: 'facebook', method: 'POST', path: '/messages' } as const;

describe('a reply with a file', () => {
  test.each([
    ['FACEBOOK', 'image', image, {}],
    ['FACEBOOK', 'video', video, aVideo],
    ['INSTAGRAM', 'image', image, {}],
    ['INSTAGRAM', 'video', video, aVideo],
  ] as const)('reaches the customer on %s as an %s', async (platform, kind, content, details) => {
    const { account, conversation, customer } = await world.startConversation(
      { type: 'message' },
      { platform },
    );
    const { id } = await storeMedia(world.ada.organizationId, details, content);

    const { status, body } = await reply(conversation.id, { mediaIds: [id] });

    expect([status, body.reply?.status]).toEqual([200, 'SENT']);
    expect(await sentBy(account)).toMatchObject([
      { to: customer.id, text: '', attachments: [{ kind, sha256: sha256(content) }] },
    ]);
    expect(await world.only(account)).toMatchObject(takenOver);
    expect(body.reply).toMatchObject({
      text: '',
      attachments: [{ kind: kind.toUpperCase(), bytes: content.length }],
    });
    expect(await downloaded(body.reply.attachments[0].url)).toBe(sha256(content));
  });

  test.each(['FACEBOOK', 'INSTAGRAM'] as const)(
    'and a text is one message here, but two on %s with the file first',
    async (platform) => {
      const { account, conversation } = await world.startConversation(
        { type: 'message' },
        { platform },
      );

      const { body } = await reply(conversation.id, {
        mediaIds: [(await medium()).id],
        message: text,
      });

      expect(body.reply).toMatchObject({ status: 'SENT', text, failureReason: null });
      expect(await sentBy(account)).toMatchObject([
        { text: '', attachments: [{ kind: 'image' }] },
        { text, attachments: [] },
      ]);
      const { messages } = await world.only(account);
      expect(messages.slice(1)).toMatchObject([{ text, attachments: [{ kind: 'IMAGE' }] }]);
    },
  );

  test('keeps the file when the medium is deleted', async () => {
    const { account, conversation } = await world.startConversation();
    const { id } = await medium();
    await reply(conversation.id, { mediaIds: [id] });

    const { organizationId, token } = world.ada;
    const params = { organization_id: organizationId, media_id: id };
    expect((await call(deleteMedia, { params, token })).status).toBe(200);
    await drainWork('media-processing');

    const [attachment] = (await lastMessage(account)).attachments;
    expect(await downloaded(attachment.url)).toBe(sha256(image));
  });
});

describe('mediaIds return', () => {
  test.each([
    ['404 for an unknown medium', async () => crypto.randomUUID(), 404, /^Media not found/],
    [
      '404 for a medium of another organization',
      async () => (await storeMedia((await newAccount()).organizationId)).id,
      404,
      /^Media not found/,
    ],
    [
      '400 for a medium that is not READY',
      async () => (await storeUpload(world.ada.organizationId)).id,
      400,
      /^mediaIds.0 must be READY/,
    ],
    [
      '400 for a type that the network does not accept',
      async () => (await storeMedia(world.ada.organizationId, { contentType: 'image/webp' })).id,
      400,
      /^mediaIds.0 must be one of these types in messages on FACEBOOK/,
    ],
    [
      '400 for an image that is too large',
      async () => (await storeMedia(world.ada.organizationId, { bytes: 8_000_001 })).id,
      400,
      /^mediaIds.0 must not be larger than 8000000 bytes/,
    ],
  ])('%s', async (_, idOf, status, message) => {
    const { account, conversation } = await world.startConversation();

    const answer = await reply(conversation.id, { mediaIds: [await idOf()], message: text });

    expect([answer.status, String(answer.body.message)]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    expect(await sentBy(account)).toEqual([]);
    expect((await world.only(account)).messages).toHaveLength(1);
  });

  test.each([
    ['a comment', { type: 'comment' }, 'FACEBOOK'],
    ['a message on TWITTER', { type: 'message' }, 'TWITTER'],
    ['a message on TIKTOK', { type: 'message' }, 'TIKTOK'],
  ] as const)('400 in a reply to %s', async (_, said, platform) => {
    const { account, conversation } = await world.startConversation(said, { platform });

    const answer = await reply(conversation.id, { mediaIds: [(await medium()).id], message: text });

    expect([answer.status, answer.body.message]).toEqual([
      400,
      [expect.stringMatching(/^mediaIds must be empty/)],
    ]);
    expect(await sentBy(account)).toEqual([]);
  });

  test('400 for two media, and for none without a text', async () => {
    const { conversation } = await world.startConversation();
    const two = [(await medium()).id, (await medium()).id];

    const [tooMany, nothing] = [
      await reply(conversation.id, { mediaIds: two }),
      await reply(conversation.id, { mediaIds: [] }),
    ];

    expect([tooMany.status, String(tooMany.body.message)]).toEqual([
      400,
      expect.stringMatching(/^mediaIds/),
    ]);
    expect([nothing.status, nothing.body.message]).toEqual([
      400,
      ['message, mediaIds or savedReplyId is required'],
    ]);
  });
});

describe('if the file', () => {
  test('is rejected, the text is not sent, and a retry with the same key sends both once', async () => {
    const { account, conversation } = await world.startConversation();
    const body = { mediaIds: [(await medium()).id], message: text };
    const headers = { 'idempotency-key': 'one answer' };
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down', times: 1 });

    expect((await reply(conversation.id, body, headers)).status).toBe(502);
    expect(await lastMessage(account)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringMatching(/The text was not sent$/),
    });
    expect(await sentBy(account)).toEqual([]);

    expect((await reply(conversation.id, body, headers)).body.reply.status).toBe('SENT');
    expect(await sentBy(account)).toMatchObject([{ text: '' }, { text }]);
  });

  test('is not confirmed, the text is not sent, and the echo of the file confirms it', async () => {
    const { account, conversation, customer } = await world.startConversation();
    const body = { mediaIds: [(await medium()).id], message: text };
    vi.stubEnv('NETWORK_TIMEOUT_MS', '500');
    await sandbox.addFault({ ...toMessages, mode: 'hang-after' });

    const { body: answer } = await reply(conversation.id, body);

    const failureReason = 'The network did not confirm the file. The text was not sent';
    expect(answer.reply).toMatchObject({ status: 'UNKNOWN', failureReason });
    const [file, ...others] = await sentBy(account);
    expect(others).toEqual([]);

    await sandbox.clearFaults();
    const echo: { delivery?: Signed } = await sandbox.network('FACEBOOK').sendEvent({
      userId: account.platformUserId,
      type: 'message',
      text: '',
      from: customer,
      echo: true,
      eventId: String(file?.id),
      attachments: [{ kind: 'image' }],
      deliveries: 0,
    });
    await deliver('FACEBOOK', echo.delivery as Signed);
    await drainWork('inbound-events');
    const { messages } = await world.only(account);
    expect(messages.slice(1)).toMatchObject([
      { status: 'FAILED', failureReason: 'The file was sent. The text was not', text },
    ]);
  });

  test('is not confirmed on INSTAGRAM, its echo is recognized by its kind', async () => {
    const { account, conversation, customer } = await world.startConversation(
      { type: 'message' },
      { platform: 'INSTAGRAM' },
    );
    vi.stubEnv('NETWORK_TIMEOUT_MS', '500');
    await sandbox.addFault({ ...toMessages, service: 'instagram', mode: 'hang-after' });
    await reply(conversation.id, { mediaIds: [(await medium()).id] });
    expect(await lastMessage(account)).toMatchObject({ status: 'UNKNOWN' });

    const echo = { isEcho: true, text: '', attachments: [{ kind: 'IMAGE' }] } as const;
    await deliverEvents(account, messageEvent(account, customer.id, echo));

    const { messages } = await world.only(account);
    expect(messages.slice(1)).toMatchObject([{ status: 'SENT', text: '' }]);
  });
});

test('if the text fails after the file, a retry with the key sends only the text', async () => {
  const { account, conversation } = await world.startConversation();
  const { id } = await medium();
  const body = { mediaIds: [id], message: text };
  const headers = { 'idempotency-key': 'one answer' };
  // Sending the file succeeds, and sending the text fails.
  await sandbox.addFault({ ...toMessages, mode: 'slow', delayMs: 1, times: 1 });
  const refusal = { error: { code: 100, message: 'No such thing' } };
  await sandbox.addFault({ ...toMessages, mode: 'error', status: 503, body: refusal });

  expect((await reply(conversation.id, body, headers)).status).toBe(502);
  expect(await lastMessage(account)).toMatchObject({
    status: 'FAILED',
    failureReason: expect.stringMatching(/^The file was sent. The text was not: /),
  });

  await sandbox.clearFaults();
  const key = keys.media(world.ada.organizationId, id);
  await write(change(key, { set: { status: 'REJECTED' } }));
  expect((await reply(conversation.id, body, headers)).body.reply?.status).toBe('SENT');
  expect(await sentBy(account)).toMatchObject([{ text: '' }, { text, attachments: [] }]);
});

/** Replies with a file and a text, and does something else while the network receives the file. */
async function whileFileIsSent(
  { account, conversation }: Awaited<ReturnType<typeof world.startConversation>>,
  act: () => Promise<unknown>,
): Promise<Answer> {
  const slow = await sandbox.addFault({ ...toMessages, mode: 'slow', delayMs: 120_000 });
  const answer = reply(conversation.id, { mediaIds: [(await medium()).id], message: text });
  const path = `/${account.platformUserId}/messages`;
  await expect
    .poll(async () => (await sandbox.requests()).filter((one) => one.path.endsWith(path)))
    .toHaveLength(1);
  await act();
  await sandbox.endFault(slow.id);

  return answer;
}

test('a retry sends nothing if the failed message is found to be sent', async () => {
  const { account, conversation } = await world.startConversation();
  const headers = { 'idempotency-key': 'one answer' };
  await sandbox.addFault({ ...toMessages, mode: 'error', status: 503, body: {} });
  await reply(conversation.id, { message: text }, headers);
  await sandbox.clearFaults();
  const { id } = (await lastMessage(account)) ?? { id: '' };
  const key = keys.conversationMessage(account.organizationId, conversation.id, id);
  const begin = () => reply(conversation.id, { message: text }, headers);
  await overtake({ begin, key }, () => write(change(key, { set: { status: 'SENT' } })));

  expect(await sentBy(account)).toEqual([]);
});

test('a token that is rejected at the text does not send the file again', async () => {
  const started = await world.startConversation();
  const { account } = started;
  const body = { error: { code: 190, message: 'Session has expired' } };
  const key = keys.socialAccount(account.organizationId, account.id);
  const answer = await whileFileIsSent(started, async () => {
    await sandbox.addFault({ ...toMessages, mode: 'error', status: 401, body, times: 1 });
    await write(change(key, { set: { tokenVersion: 'another process has refreshed it' } }));
  });

  expect(answer.body.reply?.status).toBe('SENT');
  expect(await sentBy(account)).toMatchObject([{ text: '' }, { text, attachments: [] }]);
});

test('a message that is resolved while its file is sent does not send its text', async () => {
  const started = await world.startConversation();
  const { organizationId } = world.ada;
  await whileFileIsSent(started, async () => {
    const { id } = (await lastMessage(started.account)) ?? { id: '' };
    await recordMessageLost(organizationId, { conversationId: started.conversation.id, id });
  });

  expect(await sentBy(started.account)).toMatchObject([{ text: '' }]);
});

test.each([
  ['of the file that is being sent is recognized', 'IMAGE', 'BOT'],
  ['of another kind of file is not taken for it', 'AUDIO', 'HUMAN'],
] as const)('an echo %s on INSTAGRAM', async (_, kind, controller) => {
  const { account, conversation, customer } = await world.startConversation(
    { type: 'message' },
    { platform: 'INSTAGRAM' },
  );
  const { organizationId } = world.ada;
  const sent = {
    direction: 'OUT',
    author: 'HUMAN',
    status: 'UNKNOWN',
    text,
    attachments: [{ id: crypto.randomUUID(), kind: 'IMAGE' }],
  } as const;
  await storeMessage({ ...conversation, organizationId, socialAccountId: account.id }, sent);

  const echo = { isEcho: true, text: '', attachments: [{ kind }] } as const;
  await deliverEvents(account, messageEvent(account, customer.id, echo));

  expect((await world.only(account)).controller).toBe(controller);
});

test('echoes of the file and the text of a sent reply change nothing', async () => {
  const { account, conversation, customer } = await world.startConversation();
  await reply(conversation.id, { mediaIds: [(await medium()).id], message: text });
  const before = await world.only(account);
  const [file, words] = await sentBy(account);

  await deliverEvents(
    account,
    messageEvent(account, customer.id, {
      isEcho: true,
      text: '',
      messageId: String(file?.id),
      attachments: [{ kind: 'IMAGE' }],
    }),
    messageEvent(account, customer.id, { isEcho: true, text, messageId: String(words?.id) }),
  );

  const after = await world.only(account);
  expect(after.messages).toHaveLength(2);
  expect(after.messages.at(-1).status).toBe('SENT');
  expect(after.controlVersion).toBe(before.controlVersion);
});
