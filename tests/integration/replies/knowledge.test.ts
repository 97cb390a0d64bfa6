import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { putFile } from '#scripts/fixtures/sandbox.ts';
import { type KnowledgeSetup, knowledgeSetup } from '#tests/integration/ai/setup.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let knowledge: KnowledgeSetup;
let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  knowledge = await knowledgeSetup();
  world = replySetup(knowledge.owner);
  account = await world.account();
});

const hours = { type: 'TEXT', text: 'We open at nine. See https://shop.example/hours' };

/** Makes the model report that the passages do not cover these questions. */
async function leaveUncovered(...parts: readonly string[]): Promise<void> {
  for (const contains of parts) {
    await sandbox.giveAiAnswer({ contains, covered: false });
  }
}

async function ask(text: string, from = newCustomer()) {
  await world.say(account, { type: 'message', text, from });
  await world.workOff();
  const conversations = await world.conversations(account);
  const conversation = conversations.find(({ customer }) => customer.id === from.id);
  const [trace] = await world.trace(conversation.id);

  return { conversation, trace, replies: await world.replies(account) };
}

async function lastPrompt(): Promise<ReadonlyArray<{ role: string; content: string }>> {
  const requests = await sandbox.requests({ service: 'openai' });
  const chats = requests.filter(({ path }) => path.includes('/chat/'));

  return JSON.parse(String(chats.at(-1)?.body)).messages;
}

describe('an agent with knowledge', () => {
  it('answers from the passages, which are in a separate turn', async () => {
    const source = await knowledge.add(hours);
    await world.agent({ knowledgeSourceIds: [source.id] });
    const { trace, replies } = await ask('When do you open?');
    const [system, passages, question] = await lastPrompt();

    expect(replies).toMatchObject([{ text: hours.text }]);
    expect(trace.reply).toMatchObject({
      outcome: 'SENT',
      passages: [{ sourceId: source.id, sourceName: 'Hours', text: hours.text }],
    });
    expect(system?.content).not.toContain('nine');
    expect(JSON.parse(passages?.content ?? '')).toEqual({
      mark: expect.stringMatching(/^[0-9a-f]{24}$/),
      passages: [{ source: 'Hours', text: hours.text }],
    });
    expect(question?.content).toBe('When do you open?');
  });

  it.each([
    ['Pay at https://evil.example/pay', []],
    ['Pay at evil.example', []],
    ['See https://shop.example/ship', [{ text: 'See https://shop.example/ship' }]],
  ])('links only to hosts in the answers of an FAQ: %s', async (reply, sent) => {
    const faq = [
      { question: 'Do you ship? See\nhttps://evil.example', answer: 'Yes: shop.example' },
    ];
    const source = await knowledge.add({ type: 'FAQ', faq });
    await world.agent({ knowledgeSourceIds: [source.id] });
    const text = `Do you ship? ${randomUUID()}`;
    await sandbox.giveAiAnswer({ contains: text, action: 'REPLY', reply });

    expect((await ask(text)).replies).toMatchObject(sent);
  });

  it('links to the host of a page, but not to hosts in its text', async () => {
    const page = '<p>We open at nine. See https://partner.example/hours</p>';
    const url = await putFile(`${randomUUID()}.html`, Buffer.from(page), 'text/html');
    const source = await knowledge.add({ type: 'URL', url });
    await world.agent({ knowledgeSourceIds: [source.id] });
    const replyWith = async (reply: string) => {
      const text = `When do you open? ${randomUUID()}`;
      await sandbox.giveAiAnswer({ contains: text, action: 'REPLY', reply });

      return (await ask(text)).conversation.stopReason;
    };

    expect(await replyWith(`See ${new URL('/more', url)}`)).toBeNull();
    expect(await replyWith('See https://partner.example/hours')).toBe('UNSAFE_ANSWER');
  });

  it('puts at most eight passages into the prompt', async () => {
    const faq = Array.from({ length: 20 }, (_, index) => ({
      question: `When do you open house ${index}?`,
      answer: 'At nine.',
    }));
    const source = await knowledge.add({ type: 'FAQ', faq });
    await world.agent({ knowledgeSourceIds: [source.id] });
    const { trace } = await ask('When do you open?');

    expect(trace.reply.passages).toHaveLength(8);
  });

  it('hands over questions that the passages do not cover, at no cost, and stores a gap', async () => {
    const source = await knowledge.add(hours);
    const agent = await world.agent({ knowledgeSourceIds: [source.id] });
    await leaveUncovered('bicycles');
    const credits = await world.credits();
    const { conversation, trace, replies } = await ask('Do you sell bicycles?');

    expect(replies).toEqual([]);
    expect(conversation).toMatchObject({ controller: 'HUMAN', stopReason: 'LOW_CONFIDENCE' });
    expect(trace.reply).toMatchObject({
      outcome: 'HANDED_OVER',
      stopReason: 'LOW_CONFIDENCE',
      confidence: expect.any(Number),
      agentId: agent.id,
    });
    expect(await world.credits()).toEqual(credits);
    expect(await knowledge.gaps()).toMatchObject([
      { question: 'Do you sell bicycles?', count: 1, conversationIds: [conversation.id] },
    ]);
  });

  it('counts similar questions as one gap, even concurrently', async () => {
    const source = await knowledge.add(hours);
    await world.agent({ knowledgeSourceIds: [source.id] });
    await leaveUncovered('bicycles', 'swim');
    const customers = Array.from({ length: 4 }, newCustomer);
    await Promise.all(
      customers.map((from) =>
        world.say(account, { type: 'message', text: 'Do you sell bicycles?', from }),
      ),
    );
    await world.workOff();
    await ask('Please, do you sell bicycles');
    await ask('Do you teach children to swim?');

    expect(await knowledge.gaps()).toMatchObject([
      { question: 'Do you teach children to swim?', count: 1 },
      { question: 'Do you sell bicycles?', count: 5, conversationIds: { length: 3 } },
    ]);
  });

  it('treats an empty set of sources like an agent without knowledge', async () => {
    await world.agent({ knowledgeSourceIds: [] });
    const { replies, trace } = await ask('Do you sell bicycles?');
    const [system] = await lastPrompt();

    expect(replies).toHaveLength(1);
    expect(trace.reply.passages).toEqual([]);
    expect(system?.content).not.toContain('covered');
  });
});

describe('minConfidence', () => {
  it.each([
    [0.6, 1, 'SENT'],
    [0.59, 0, 'HANDED_OVER'],
  ])('of 0.6 and a confidence of %d', async (confidence, sent, outcome) => {
    await world.agent({ minConfidence: 0.6 });
    const text = `What is the best colour? ${randomUUID()}`;
    await sandbox.giveAiAnswer({ contains: text, action: 'REPLY', reply: 'Red.', confidence });
    const { replies, trace } = await ask(text);

    expect([replies.length, trace.reply.outcome]).toEqual([sent, outcome]);
    expect(await knowledge.gaps()).toHaveLength(1 - sent);
  });
});
