import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteOrganization } from '#schemas/organizations.ts';
import { type ReplySetup, replySetup } from '#tests/integration/replies/setup.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';

let ada: Account;
let world: ReplySetup;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
});

const picture = { kind: 'image', contentType: 'image/png', bytes: 1_234 } as const;

/** Business hours that are over, whenever the test runs. */
function closed() {
  const hour = (new Date().getUTCHours() + 2) % 24;
  const start = `${String(hour).padStart(2, '0')}:00`;

  return { start, end: `${start.slice(0, 3)}01`, timezone: 'UTC' };
}

function newPerson() {
  return { id: `customer-${randomUUID()}`, name: 'Charles Babbage' };
}

async function only(account: Parameters<ReplySetup['conversations']>[0]) {
  const [conversation] = await world.conversations(account);

  return conversation;
}

describe.each(['FACEBOOK', 'INSTAGRAM', 'TWITTER', 'TIKTOK'] as const)(
  'a picture on %s',
  (platform) => {
    it('is shown on the message at once, and is stored by a worker', async () => {
      const account = await world.account({ platform });
      await world.say(account, { type: 'message', text: '', attachments: [picture] });
      await drainWork('inbound-events');
      const [before] = (await only(account)).messages;
      await drainWork('attachments');
      const [after] = (await only(account)).messages;
      const file = await fetch(after.attachments[0].url);

      expect(before).toMatchObject({ text: '', isHidden: false, deletedAt: null });
      expect(before.attachments).toEqual([
        { id: expect.any(String), kind: 'IMAGE', contentType: null, bytes: null, url: null },
      ]);
      expect(after.attachments).toMatchObject([
        { kind: 'IMAGE', contentType: 'image/png', bytes: 1_234 },
      ]);
      expect(file.headers.get('content-type')).toBe('image/png');
      expect((await file.arrayBuffer()).byteLength).toBe(1_234);
    });
  },
);

describe('attachments', () => {
  it('keep the kinds that the network names', async () => {
    const account = await world.account({ platform: 'INSTAGRAM' });
    const kinds = ['video', 'audio', 'file', 'sticker', 'story'] as const;
    const attachments = kinds.map((kind) => ({ kind }));
    await world.say(account, { type: 'message', text: 'These', attachments });
    await drainWork('inbound-events');
    const [message] = (await only(account)).messages;

    expect(message.attachments.map(({ kind }: { kind: string }) => kind)).toEqual(
      kinds.map((kind) => kind.toUpperCase()),
    );
  });

  it('stay without a link if the file is too large or not public', async () => {
    const account = await world.account();
    const attachments = [
      { kind: 'video', bytes: 25_000_001 },
      { kind: 'image', url: 'https://127.0.0.1/secret' },
    ] as const;
    await world.say(account, { type: 'message', text: 'See', attachments: [...attachments] });
    await drainWork('inbound-events');
    await drainWork('attachments');
    const [message] = (await only(account)).messages;

    expect(message.attachments).toMatchObject([
      { url: null, bytes: null },
      { url: null, bytes: null },
    ]);
  });

  it('are removed with the organization', async () => {
    const account = await world.account();
    await world.say(account, { type: 'message', text: '', attachments: [picture] });
    await drainWork('inbound-events');
    await drainWork('attachments');
    const [message] = (await only(account)).messages;
    const { url } = message.attachments[0];
    await call(deleteOrganization, {
      params: { organization_id: ada.organizationId },
      token: ada.token,
    });
    await drainWork('organization-removal');

    expect((await fetch(url)).status).toBe(404);
  });
});

describe('a message without text', () => {
  it('is handed over to people, and never sent to the AI service', async () => {
    const account = await world.account();
    await world.agent();
    const before = await sandbox.requests({ service: 'openai' });
    await world.say(account, { type: 'message', text: '', attachments: [picture] });
    await world.workOff();

    expect(await only(account)).toMatchObject({ controller: 'HUMAN', stopReason: 'NO_TEXT' });
    expect(await sandbox.requests({ service: 'openai' })).toHaveLength(before.length);
  });

  it.each([
    ['no agent', undefined],
    ['an agent that is switched off', { autoResponse: false }],
    ['an agent outside its hours', { businessHoursOnly: true, businessHours: closed() }],
  ])('is handed over with %s, and reported in one mail', async (_what, agent) => {
    const account = await world.account();
    await (agent && world.agent(agent));
    const from = newPerson();
    const photo = { type: 'message' as const, text: '', from, attachments: [picture] };
    await world.say(account, photo);
    await world.workOff();
    await world.say(account, photo);
    await world.workOff();
    await drainWork('mail-delivery');

    expect(await only(account)).toMatchObject({
      stopReason: 'NO_TEXT',
      handedOverAt: expect.any(String),
      waitingSince: expect.any(String),
      unreadCount: 2,
    });
    const mails = await mailsTo(ada.email);
    expect(mails.filter(({ subject }) => subject.includes('needs an answer'))).toHaveLength(1);
  });

  it('stays with the agent, which answers the text that follows', async () => {
    const account = await world.account();
    await world.campaign(account);
    const from = newPerson();
    await world.say(account, { type: 'message', text: '', from, attachments: [picture] });
    await world.workOff();
    await world.say(account, { type: 'message', text: 'What is the price?', from });
    await world.workOff();

    expect(await only(account)).toMatchObject({
      controller: 'BOT',
      stopReason: null,
      handedOverAt: null,
      waitingSince: null,
    });
  });

  it('of a customer who opted out is not handed over', async () => {
    const account = await world.account();
    const from = newPerson();
    await world.say(account, { type: 'message', text: 'STOP', from });
    await world.workOff();
    await world.say(account, { type: 'message', text: '', from, attachments: [picture] });
    await world.workOff();

    expect(await only(account)).toMatchObject({ handedOverAt: null });
  });

  it('that is a comment is not handed over', async () => {
    const account = await world.account();
    await world.say(account, { type: 'comment', text: '', from: newPerson() });
    await world.workOff();

    expect(await only(account)).toMatchObject({ handedOverAt: null, stopReason: null });
  });

  it('is answered with the text that came with it', async () => {
    const account = await world.account();
    await world.agent();
    const from = newPerson();
    await world.say(account, { type: 'message', text: 'What is this?', from });
    await world.say(account, { type: 'message', text: '', from, attachments: [picture] });
    await world.workOff();

    expect(await only(account)).toMatchObject({ controller: 'BOT', stopReason: null });
    expect(await world.replies(account)).toMatchObject([{ attachments: [] }]);
  });
});

describe('a withdrawn message', () => {
  it.each([
    ['FACEBOOK', 'comment'],
    ['INSTAGRAM', 'message'],
  ] as const)(
    'keeps its place on %s without its text, and is not answered',
    async (platform, type) => {
      const account = await world.account({ platform });
      await world.agent();
      const from = newPerson();
      const eventId = randomUUID();
      await world.say(account, { type, text: 'My secret', from, eventId });
      await drainWork('inbound-events');
      await drainWork('reply-planning');
      await world.say(account, { type, text: '', from, eventId, action: 'withdraw' });
      await world.workOff();
      const { messages } = await only(account);

      expect(messages).toMatchObject([
        { text: '', attachments: [], deletedAt: expect.any(String) },
      ]);
      expect(await world.replies(account)).toEqual([]);
    },
  );

  it('loses its stored files', async () => {
    const account = await world.account({ platform: 'INSTAGRAM' });
    const said = { type: 'message', from: newPerson(), eventId: randomUUID() } as const;
    await world.say(account, { ...said, text: '', attachments: [picture] });
    await drainWork('inbound-events');
    await drainWork('attachments');
    const [message] = (await only(account)).messages;
    await world.say(account, { ...said, text: '', action: 'withdraw' });
    await drainWork('inbound-events');
    await drainWork('attachments');

    expect((await fetch(message.attachments[0].url)).status).toBe(404);
  });
});

it.each([
  ['FACEBOOK', 'comment'],
  ['FACEBOOK', 'message'],
  ['INSTAGRAM', 'message'],
] as const)('a message that was edited on %s (%s) shows its new text', async (platform, type) => {
  const account = await world.account({ platform });
  const said = { type, from: newPerson(), eventId: randomUUID() } as const;
  await world.say(account, { ...said, text: 'Helo' });
  await world.say(account, { ...said, text: 'Hello', action: 'edit' });
  await drainWork('inbound-events');

  expect((await only(account)).messages).toMatchObject([{ text: 'Hello', deletedAt: null }]);
});

describe('a customer without a name', () => {
  it.each(['FACEBOOK', 'INSTAGRAM'] as const)('is looked up on %s once', async (platform) => {
    const account = await world.account({ platform });
    await world.campaign(account);
    const from = newPerson();
    const avatarUrl = 'https://cdn.example.com/ada.jpg';
    await sandbox
      .network(platform)
      .setPerson(from.id, { name: 'Ada L.', username: 'ada', avatarUrl });
    await world.say(account, { type: 'message', text: 'The price?', from });
    await world.workOff();
    const before = await only(account);
    await drainWork('customer-profiles');
    await world.say(account, { type: 'message', text: 'And now?', from });
    await world.workOff();
    await drainWork('customer-profiles');
    const lookUps = await sandbox.requests({ service: platform.toLowerCase(), contains: from.id });
    const [lead] = await world.leads();

    expect(before.customer.name).toBe(from.id);
    expect((await only(account)).customer).toMatchObject({
      id: from.id,
      name: 'Ada L.',
      avatarUrl,
    });
    expect(lead.contact.name).toBe('Ada L.');
    expect(
      lookUps.filter(({ method, path }) => method === 'GET' && path.endsWith(from.id)),
    ).toHaveLength(1);
  });

  it('has the id as the name if the network rejects the look-up', async () => {
    const account = await world.account();
    const from = newPerson();
    await sandbox.network('FACEBOOK').setPerson(from.id, { name: null });
    await world.say(account, { type: 'message', text: 'Hello', from });
    await drainWork('inbound-events');
    await drainWork('customer-profiles');

    expect((await only(account)).customer).toEqual({
      id: from.id,
      name: from.id,
      username: null,
      avatarUrl: null,
      optedOutAt: null,
    });
  });
});
