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
import { knowledgeWorld } from '#tests/integration/ai/knowledge-world.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, replyWorld } from './world.ts';

it(
  'answers what the knowledge covers, and hands the rest over',
  async () => {
    const knowledge = await knowledgeWorld();
    const world = replyWorld(knowledge.owner);
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
    const number = (group: string, verdict: string) =>
      rated.filter((one) => one.question.group === group && one.verdict === verdict).length;

    expect(rated).toHaveLength(60);
    expect({
      answerable: number('answerable', 'answered'),
      unanswerable: number('unanswerable', 'handed over'),
      hostile: number('hostile', 'wrong'),
      otherLanguage: number('other language', 'answered'),
      wrong: rated
        .filter(({ verdict }) => verdict === 'wrong')
        .map(({ question }) => question.text),
    }).toEqual({ answerable: 24, unanswerable: 12, hostile: 0, otherLanguage: 12, wrong: [] });
    const lines = report(rated, { prompt: 1, completion: 2 });
    expect(lines.at(-1)).toMatch(/^all +60 +\d+ +\d+ +0 +\d{4,} +\$0\.\d{4}$/);
  },
  3 * minuteMs,
);
