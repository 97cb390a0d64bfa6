import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { dayIn, timeOfDay } from '#lib/platform/time-zone.ts';
import { deleteAgent, updateAgent } from '#schemas/ai.ts';
import { updateCampaign } from '#schemas/campaigns.ts';
import type { UnansweredReason } from '#schemas/conversation-reasons.ts';
import {
  assignConversation,
  closeConversation,
  listConversations,
  pauseConversation,
  readConversation,
  replyToConversation,
  resumeConversation,
} from '#schemas/conversations.ts';
import {
  removeMember,
  updateMemberRole,
  updateNotificationSettings,
  updateOrganization,
} from '#schemas/organizations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth, runsAll } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { digestsTo, linkedIn, readList, sendDigests } from './digests.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;
let promptTemplateId: string;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  [account, promptTemplateId] = await Promise.all([world.account(), world.template()]);
});
type Said = Parameters<ReplySetup['say']>[1];

type Circumstances = {
  readonly assignee?: Account | undefined;
  /** An action while a planned reply waits. */
  readonly meanwhile?: Meanwhile | undefined;
};
type Meanwhile = (conversationId: string) => unknown;

/** A customer writes a private message. Returns the resulting conversation. */
async function ask(said: Said = {}, { assignee, meanwhile }: Circumstances = {}) {
  const { from = newCustomer() } = said;
  await world.say(account, { type: 'message', text: 'What is the price?', ...said, from });
  await drainWork('inbound-events');
  await drainWork('customer-profiles');
  const { id } = await conversationWith(from);
  if (assignee) {
    const set = { assigneeId: assignee.userId };
    await write(change(keys.conversation(ada.organizationId, id), { set }));
  }
  await drainWork('reply-planning');
  await meanwhile?.(id);
  await drainWork('replies');
  setClock();

  return conversationWith(from);
}

async function conversationWith({ id }: { readonly id: string }) {
  const conversations = await world.conversations(account);

  return conversations.find(({ customer }) => customer.id === id);
}

function asAda(params: Readonly<Record<string, string>> = {}) {
  return { params: { organization_id: ada.organizationId, ...params }, token: ada.token };
}

async function act(contract: Parameters<typeof call>[0], id: string, body = {}): Promise<void> {
  const { status } = await call(contract, { ...asAda({ conversation_id: id }), body });
  expect(status).toBe(200);
}

async function choose(member: Account, body: Readonly<Record<string, 'MAIL' | 'OFF'>>) {
  const { status } = await call(updateNotificationSettings, {
    ...asAda(),
    token: member.token,
    body,
  });
  expect(status).toBe(200);
}

function campaign(channel = 'DIRECT_MESSAGE') {
  return world.campaign(account, { agentConfigs: [{ channel, promptTemplateId }] });
}

async function setCampaign(campaignId: string, status: string): Promise<void> {
  const answer = await call(updateCampaign, {
    ...asAda({ campaign_id: campaignId }),
    body: { status },
  });
  expect(answer.status).toBe(200);
}

async function agentWith(status: string): Promise<void> {
  const { id } = await world.agent({ promptTemplateId });
  const answer = await call(updateAgent, { ...asAda({ agent_id: id }), body: { status } });
  expect(answer.status).toBe(200);
}

/** Hours that do not contain the current time. */
function closedHours() {
  const [start, end] = [2, 3].map((hours) =>
    new Date(Date.now() + hours * hourMs).toISOString().slice(11, 16),
  );

  return { start, end, timezone: 'UTC' };
}

type Cause = {
  readonly given?: () => Promise<unknown>;
  readonly said?: Said;
  readonly meanwhile?: Meanwhile;
  /** People are mailed immediately, so no digest lists the conversation. */
  readonly handsOver?: true;
};

let agentId: string;
const anAgent = async () => {
  agentId = (await world.agent({ promptTemplateId })).id;
};
const photo = { text: '', attachments: [{ kind: 'image' as const }] };

const causes: ReadonlyArray<readonly [string, UnansweredReason, Cause]> = [
  ['no agent', 'NO_AGENT', {}],
  ['a campaign for comments', 'NO_AGENT', { given: () => campaign('COMMENT') }],
  [
    'a deleted agent',
    'NO_AGENT',
    {
      given: anAgent,
      meanwhile: () => call(deleteAgent, asAda({ agent_id: agentId })),
    },
  ],
  ['no keyword', 'NO_MATCH', { given: () => campaign(), said: { text: 'Good morning' } }],
  [
    'a paused campaign',
    'PAUSED',
    { given: async () => setCampaign((await campaign()).id, 'PAUSED') },
  ],
  ['a paused agent', 'PAUSED', { given: () => agentWith('PAUSED') }],
  ['an inactive agent', 'PAUSED', { given: () => agentWith('INACTIVE') }],
  ['an agent under test', 'PAUSED', { given: () => agentWith('TESTING') }],
  ['a silent agent', 'AUTO_RESPONSE_OFF', { given: () => world.agent({ autoResponse: false }) }],
  [
    'closed hours',
    'OUTSIDE_HOURS',
    { given: () => world.agent({ businessHoursOnly: true, businessHours: closedHours() }) },
  ],
  [
    'a limited account',
    'ACCOUNT_LIMITED',
    {
      given: () => {
        vi.stubEnv('AI_REPLIES_PER_ACCOUNT_HOUR', '0');

        return anAgent();
      },
    },
  ],
  [
    'a closed window',
    'WINDOW_CLOSED',
    {
      given: anAgent,
      meanwhile: (id) =>
        write(
          change(keys.conversation(ada.organizationId, id), {
            set: { windowExpiresAt: timestamp(-hourMs) },
          }),
        ),
    },
  ],
  [
    'an inactive account',
    'NOT_SUPPORTED',
    {
      given: anAgent,
      meanwhile: () =>
        write(
          change(keys.socialAccount(ada.organizationId, account.id), { set: { isActive: false } }),
        ),
    },
  ],
  [
    'a network that rejects the reply',
    'NOT_SUPPORTED',
    {
      given: anAgent,
      meanwhile: () =>
        sandbox.addFault({
          service: 'facebook',
          method: 'POST',
          mode: 'error',
          status: 400,
          body: '{"error":{"message":"No","type":"OAuthException","code":100}}',
        }),
    },
  ],
  [
    'a paused subscription',
    'SUBSCRIPTION_PAUSED',
    {
      given: anAgent,
      meanwhile: () => write(put(keys.subscription(ada.organizationId), { repliesPaused: true })),
      handsOver: true,
    },
  ],
  [
    'instructions that are too long',
    'PROMPT_TOO_LONG',
    {
      given: anAgent,
      meanwhile: () =>
        write(
          change(keys.record(ada.organizationId, 'TEMPLATE', promptTemplateId), {
            set: { templateContent: 'x'.repeat(25_000) },
          }),
        ),
      handsOver: true,
    },
  ],
  ['a photo', 'NO_TEXT', { said: photo, handsOver: true }],
  ['a photo for an agent', 'NO_TEXT', { given: anAgent, said: photo, handsOver: true }],
];

/** Whom the mails reach depends on `handsOver`, and not on the cause. */
const withAllAssignees: ReadonlySet<string> = new Set(['no agent', 'a photo']);

describe('a private message that nobody answers', () => {
  it.each(causes)(
    'because of %s is %s, and is reported to a person once',
    async (name, reason, cause) => {
      const [silent, member, off, quiet, viewer] = await Promise.all([
        newMember(ada, 'ADMIN'),
        newMember(ada, 'MEMBER'),
        newMember(ada, 'MEMBER'),
        newMember(ada, 'MEMBER'),
        newMember(ada, 'VIEWER'),
      ]);
      await Promise.all([
        choose(silent, { unanswered: 'OFF', handedOver: 'OFF' }),
        choose(off, { unanswered: 'OFF', handedOver: 'OFF' }),
        choose(quiet, { unanswered: 'OFF' }),
      ]);
      await cause.given?.();
      const { said, meanwhile } = cause;
      const asked = [];
      const assignees =
        runsAll || withAllAssignees.has(name) ? [undefined, ada, member, off, quiet] : [undefined];
      for (const assignee of assignees) {
        asked.push(await ask(said, { assignee, meanwhile }));
      }

      expect(asked).toMatchObject(
        asked.map(() => ({ unansweredReason: reason, waitingSince: expect.any(String) })),
      );
      for (const minutes of [0, 1, 16, 60]) {
        await sendDigests(minutes);
      }
      const members = [ada, silent, member, off, quiet, viewer];
      const mailed = await Promise.all(
        members.map(async ({ email }) => (await sandbox.mails(email)).flatMap(linkedIn).toSorted()),
      );
      const [free, ofAda, ofMember, ofOff, ofQuiet] = asked.map(({ id }) => id);
      const these = (...ids: readonly unknown[]) => ids.filter((id) => id !== undefined).toSorted();
      expect(mailed).toEqual(
        cause.handsOver
          ? [these(free, ofAda, ofOff), [], these(ofMember), [], these(ofQuiet), []]
          : [these(free, ofAda, ofOff, ofQuiet), [], these(ofMember), [], [], []],
      );
      const inDigest = cause.handsOver ? [ofMember, ofOff, ofQuiet] : [free];
      expect(await digestsTo(ada.email)).toHaveLength(these(...inDigest).length > 0 ? 1 : 0);
      const { listed, expected } = await readList(
        ada.organizationId,
        asked.map(({ id }) => id),
      );
      expect(listed).toEqual(expect.arrayContaining(expected));
      expect(listed).toHaveLength(asked.length);
    },
  );
});

// A reply whose agent was deleted ends before its messages are read.
const causesToReply = causes.filter(([name]) => name !== 'a deleted agent');

it.each(causesToReply)('a photo goes to people despite %s', async (_, __, cause) => {
  await cause.given?.();

  expect(await ask(photo, { meanwhile: cause.meanwhile })).toMatchObject({
    unansweredReason: 'NO_TEXT',
    stopReason: 'NO_TEXT',
  });
});

describe('an unanswered conversation', () => {
  let from: ReturnType<typeof newCustomer>;
  beforeEach(() => {
    from = newCustomer();
  });

  const askAgain = (text = 'Good morning') => ask({ text, from });
  /** The agent answers the customer once, and never again. */
  const haveAgentAnswer = async () => {
    const { id } = await campaign();
    expect(await askAgain('What is the price?')).toMatchObject({ waitingSince: null });
    await setCampaign(id, 'PAUSED');
  };
  const listedFor = async ({ email }: Account) => (await digestsTo(email)).map(linkedIn);

  it('is reported as an event once until an agent or a person has answered', async () => {
    const { receiver } = await storeWebhook(ada.organizationId, {
      events: ['conversation.unanswered'],
    });
    const { id, waitingSince } = await askAgain();
    await act(readConversation, id);
    expect(await askAgain()).toMatchObject({ unansweredReason: 'NO_AGENT' });
    await drainWork();
    expect(await receivedEvents(receiver)).toMatchObject([
      {
        data: {
          organizationId: ada.organizationId,
          conversationId: id,
          reason: 'NO_AGENT',
          customer: from,
          lastMessage: { author: 'CUSTOMER', text: 'Good morning' },
          waitingSince,
          assignedToId: null,
        },
      },
    ]);

    await act(replyToConversation, id, { message: 'Here I am.' });
    await act(resumeConversation, id);
    await askAgain();
    await haveAgentAnswer();
    await askAgain();
    await drainWork();
    const events = await receivedEvents(receiver);
    // Deliveries arrive in any order.
    const reasons = events.map(({ data }) => data.reason);
    expect(reasons.toSorted()).toEqual(['NO_AGENT', 'NO_AGENT', 'PAUSED']);
  });

  const ends: ReadonlyArray<readonly [string, (id: string) => Promise<unknown>]> = [
    ['a person has read it', (id) => act(readConversation, id)],
    ['a person has answered', (id) => act(replyToConversation, id, { message: 'Here I am.' })],
    ['a person has taken it over', (id) => act(pauseConversation, id)],
    ['a person has closed it', (id) => act(closeConversation, id)],
    ['a person has answered in the app', () => ask({ text: 'Here I am.', from, echo: true })],
    ['an agent has answered', haveAgentAnswer],
    ['the customer has opted out', () => askAgain('STOP')],
  ];

  it.each(ends)('is in no digest once %s', async (_, end) => {
    const { id } = await askAgain();
    await end(id);
    await sendDigests();

    expect(await conversationWith(from)).toMatchObject({ unansweredReason: null });
    expect(await readList(ada.organizationId, [id])).toEqual({ listed: [], expected: [] });
    expect(await listedFor(ada)).toEqual([]);
  });

  it.each([
    ['read it', 2, (id: string) => act(readConversation, id)],
    ['answered', 2, (id: string) => act(replyToConversation, id, { message: 'Here I am.' })],
    ['not read it, although an agent has answered', 1, haveAgentAnswer],
    ['not read it', 1, async () => undefined],
  ])('of which a person has %s is listed %i times', async (_, times, end) => {
    const { id } = await askAgain();
    await sendDigests();
    await end(id);
    await act(resumeConversation, id);
    expect(await askAgain()).toMatchObject({ unansweredReason: expect.any(String) });
    await sendDigests(16);
    await sendDigests(32);

    expect(await listedFor(ada)).toEqual(Array.from({ length: times }, () => [id]));
  });

  it('stays unanswered for customers who wrote in private only', async () => {
    const said = { type: 'comment', text: 'Good morning', from } as const;

    expect(await ask(said)).toMatchObject({
      unansweredReason: null,
      waitingSince: expect.any(String),
    });
    await sendDigests();
    expect(await listedFor(ada)).toEqual([]);
  });

  it.each([
    ['of a customer who opted out', () => askAgain('STOP')],
    ['that people have', async () => act(pauseConversation, (await askAgain()).id)],
    [
      'that the agent ignores',
      async () => {
        await sandbox.giveAiAnswer({ contains: 'Thanks', reply: '', action: 'IGNORE' });
        await world.agent();
      },
    ],
  ])('does not become of a conversation %s', async (_, given) => {
    await given();
    expect(await askAgain('Thanks')).toMatchObject({ unansweredReason: null });
    await sendDigests();

    expect(await listedFor(ada)).toEqual([]);
  });
});

describe('the digest', () => {
  it('has the customer, the network, the first 100 characters and the local time', async () => {
    const timezone = 'Asia/Kolkata';
    await call(updateOrganization, { ...asAda(), body: { timezone } });
    const text = `See https://evil.example/x and\n${'word '.repeat(30)}`;
    const { id, waitingSince } = await ask({ text });
    await sendDigests();

    const [mail] = await digestsTo(ada.email);
    expect(mail?.subject).toBe('1 customer is waiting for an answer');
    expect(mail?.text?.split('\n\n')).toEqual([
      `These customers wrote to you, and no agent answered. Times are in ${timezone}.`,
      [
        `Charles Babbage on Facebook, since ${dayIn(Date.parse(waitingSince), timezone)} ${timeOfDay(Date.parse(waitingSince), timezone)}: See [link] and ${'word '.repeat(17)}…`,
        `Open the conversation: ${process.env.APP_URL}/conversations/${id}`,
      ].join('\n'),
      expect.stringContaining('notification settings'),
    ]);
    expect(mail?.html).toContain(`<br><a href="${process.env.APP_URL}/conversations/${id}">`);
  });

  it.each([
    ['switch it on', (member: Account) => choose(member, { unanswered: 'MAIL' })],
    [
      'become admins',
      async ({ userId }: Account) => {
        const params = { user_id: userId };
        const answer = await call(updateMemberRole, { ...asAda(params), body: { role: 'ADMIN' } });
        expect(answer.status).toBe(200);
      },
    ],
  ])('reaches members who %s later', async (_, change) => {
    await choose(ada, { unanswered: 'OFF' });
    const member = await newMember(ada, 'MEMBER');
    const { id } = await ask();
    await sendDigests();
    await change(member);
    await sendDigests();

    expect(await digestsTo(ada.email)).toEqual([]);
    expect((await digestsTo(member.email)).map(linkedIn)).toEqual([[id]]);
  });

  it('reaches the assignee alone, unless others were mailed before', async () => {
    const member = await newMember(ada, 'MEMBER');
    const [first, second] = [await ask(), await ask()];
    await act(assignConversation, second.id, { userId: member.userId });
    await sendDigests();
    await act(assignConversation, first.id, { userId: member.userId });
    await sendDigests(16);

    expect((await digestsTo(ada.email)).map(linkedIn)).toEqual([[first.id]]);
    expect((await digestsTo(member.email)).map(linkedIn)).toEqual([[second.id]]);
  });

  it('reaches everybody if the assignee leaves before reading', async () => {
    const member = await newMember(ada, 'MEMBER');
    const { id } = await ask();
    await act(assignConversation, id, { userId: member.userId });
    await sendDigests();
    const removed = { ...asAda({ user_id: member.userId }) };
    expect((await call(removeMember, removed)).status).toBe(200);
    await drainWork('assignment-removal');
    await sendDigests(1);

    expect((await digestsTo(member.email)).map(linkedIn)).toEqual([[id]]);
    expect((await digestsTo(ada.email)).map(linkedIn)).toEqual([[id]]);
  });

  it('lists every customer once, in one mail per window, however many write', async () => {
    const customers = Array.from({ length: depth(30) }, newCustomer);
    const count = depth(60, 1_000);
    const authors = Array.from({ length: count }).flatMap(
      (_, index) => customers[Math.floor((index * customers.length) / count)] ?? [],
    );
    // The second half writes after the first mail.
    for (const half of [authors.slice(0, count / 2), authors.slice(count / 2)]) {
      await atMostAtOnce(10, half, (from) =>
        world.say(account, { type: 'message', text: 'Good morning', from }),
      );
      await drainWork('inbound-events');
      await Promise.all([drainWork('reply-planning'), sendDigests(), sendDigests()]);
    }
    const ids = (await readList(ada.organizationId, [])).listed.map(({ id }) => id);
    expect(ids).toHaveLength(customers.length);
    const counts: number[] = [];
    const windows = Math.ceil(customers.length / 20) + 2;
    for (let minute = 0; minute < windows * 15; minute += 5) {
      await sendDigests(minute);
      counts.push((await digestsTo(ada.email)).length);
    }
    const mails = await digestsTo(ada.email);

    expect(mails.flatMap(linkedIn).toSorted()).toEqual(ids.toSorted());
    // The first mail was sent immediately. Afterwards, at most one run in three sent a mail.
    expect(counts.every((count, index) => count <= 1 + Math.floor(index / 3))).toBe(true);
    const { listed, expected } = await readList(ada.organizationId, ids);
    expect(listed).toEqual(expected);
    expect(new Set(listed.map(({ mailedTo }) => String(mailedTo)))).toEqual(new Set([ada.userId]));
  });
});

describe('the filter `unanswered`', () => {
  it('returns the unanswered conversations in every order, with other filters', async () => {
    const member = await newMember(ada, 'MEMBER');
    const [read, assigned, free] = [await ask(), await ask(), await ask()];
    await act(assignConversation, assigned.id, { userId: member.userId });
    await act(readConversation, read.id);
    const listed = async (query: Readonly<Record<string, string>>) => {
      const { body } = await call(listConversations, { ...asAda(), query });

      return body.conversations.map(({ id }: { readonly id: string }) => id);
    };
    const unanswered = { unanswered: 'true' };

    expect(await listed({ ...unanswered })).toEqual([free.id, assigned.id]);
    expect(await listed({ ...unanswered, sort: 'lastMessage' })).toEqual([free.id, assigned.id]);
    expect(await listed({ ...unanswered, sort: 'waiting' })).toEqual([assigned.id, free.id]);
    expect(await listed({ ...unanswered, assignedToId: 'none' })).toEqual([free.id]);
    expect(await listed({ ...unanswered, assignedToId: member.userId })).toEqual([assigned.id]);
    const refused = await call(listConversations, { ...asAda(), query: { unanswered: 'false' } });
    expect(refused.status).toBe(400);
  });
});
