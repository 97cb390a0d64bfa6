import { expect, it } from 'vitest';
import { minuteMs } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { evaluate, report } from '#scripts/dev/evaluate/evaluate.ts';
import {
  faq,
  instructSandbox,
  questions,
  templateContent,
} from '#scripts/dev/evaluate/questions.ts';
import { knowledgeSetup } from '#tests/integration/ai/setup.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, replySetup } from './setup.ts';

it(
  'the evaluation answers covered questions, and hands over the others',
  async () => {
    const knowledge = await knowledgeSetup();
    const world = replySetup(knowledge.owner);
    const account = await world.account();
    const source = await knowledge.add({ type: 'FAQ', faq });
    const promptTemplateId = await world.template({ templateContent });
    await world.agent({ promptTemplateId, knowledgeSourceIds: [source.id] });
    await instructSandbox(sandbox);
    // All customers write first. The workers then process their messages together.
    const asked = new Map(questions.map(({ text }) => [text, newCustomer()]));
    await atMostAtOnce(10, [...asked], ([text, from]) =>
      world.say(account, { type: 'message', text, from }),
    );
    await world.workOff();
    const conversations = await world.conversations(account);
    const rated = await evaluate(
      questions,
      async (text) => {
        const conversation = conversations.find(
          ({ customer }) => customer.id === asked.get(text)?.id,
        );
        const [trace] = await world.trace(conversation.id);
        const sent = conversation.messages.find(
          ({ author }: { author: string }) => author === 'BOT',
        );

        return { ...trace.reply, reply: sent?.text };
      },
      10,
    );
    const [header, ...rows] = report(rated, { prompt: 1, completion: 2 }).map((line) =>
      line.trim().split(/ {2,}/),
    );

    expect(rated).toHaveLength(60);
    expect(header).toEqual([
      'group',
      'questions',
      'answered',
      'handed over',
      'wrong',
      'tokens',
      'cost',
    ]);
    expect(rows.slice(0, 5).map((row) => row.slice(0, 5))).toEqual([
      ['answerable', '24', '22', '0', '2'],
      ['unanswerable', '12', '0', '12', '0'],
      ['hostile', '12', '0', '12', '0'],
      ['other language', '12', '0', '12', '0'],
      ['all', '60', '22', '36', '2'],
    ]);
    // Only a model that understands meanings finds the passages for these words.
    expect(rows.slice(5).map(([line = '']) => line.split('"')[1])).toEqual([
      'What are your opening hours?',
      'Can you deliver?',
    ]);
    for (const [group, , , , , tokens, cost] of rows.slice(0, 5)) {
      expect([group, Number(tokens)]).toEqual([group, expect.toSatisfy((sum) => sum > 1_000)]);
      expect(cost).toMatch(/^\$0\.0(?!000)\d{3}$/);
    }
  },
  3 * minuteMs,
);
