import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { planAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import { write } from '#lib/platform/db/write.ts';
import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import { deleteLead, updateLead } from '#schemas/leads.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { newCustomer, type ReplySetup, replySetup } from '../replies/setup.ts';

type Account = Awaited<ReturnType<ReplySetup['account']>>;

const testId = 'greeting 2026';

let world: ReplySetup;
let account: Account;

beforeEach(async () => {
  world = replySetup(await newAccount());
  account = await world.account();
});

function ask(contract: Contract, params: object, body?: object): Promise<Answer> {
  const { organizationId, token } = world.owner;

  return call(contract, {
    params: { organization_id: organizationId, ...params },
    token,
    ...(body ? { body } : {}),
  });
}

async function newVariant(weight: number, variant: object = {}): Promise<string> {
  const body = {
    name: randomUUID(),
    templateContent: 'Be kind.',
    abTestVariant: { variant: 'A', testId, weight, optimize: true, ...variant },
  };

  return (await ask(ai.createInteractiveTemplate, {}, body)).body.interactiveTemplate.id;
}

async function results() {
  const { status, body } = await ask(ai.getInteractiveTest, { test_id: testId });
  expect(status).toBe(200);

  return body.test;
}

/** Adds earlier results of a variant. */
async function plantResults(id: string, conversations: number, conversions: number): Promise<void> {
  const { organizationId } = world.owner;
  await write(
    planAnswerCounts(organizationId, 'INTERACTIVE_TEMPLATE', id, { conversations, conversions }),
  );
}

/**
 * Makes customers write, and returns the template that answered each of them, by the customer's id.
 */
async function answersTo(
  customers: readonly ReturnType<typeof newCustomer>[],
): Promise<ReadonlyMap<string, string>> {
  await Promise.all(
    customers.map((from) => world.say(account, { type: 'message', text: 'The price?', from })),
  );
  await world.workOff();
  const conversations = await world.conversations(account);
  const answered = await Promise.all(
    conversations.map(async ({ id, customer }: Answer['body']) => {
      const [{ reply }] = await world.trace(id);
      expect(reply.outcome).toBe('SENT');

      return [customer.id, reply.templateId] as const;
    }),
  );

  return new Map(answered);
}

const someCustomers = (number: number) => Array.from({ length: number }, newCustomer);

describe('getInteractiveTest', () => {
  test('counts each conversation once per variant, even if many are answered concurrently', async () => {
    const [one, other] = [await newVariant(1), await newVariant(1)];
    await world.campaign(account, {
      promptTemplateId: one,
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId: one }],
    });
    const customers = someCustomers(8);
    const first = await answersTo(customers);
    const second = await answersTo(customers);

    expect(second).toEqual(first);
    const { id, variants } = await results();
    expect(id).toBe(testId);
    const assigned = (templateId: string) =>
      [...first.values()].filter((answered) => answered === templateId).length;
    expect(variants).toEqual(
      [other, one].map((templateId) => ({
        templateId,
        weight: 1,
        assignments: assigned(templateId),
        conversions: 0,
        conversionRate: 0,
        probabilityBest: expect.any(Number),
      })),
    );
    const [p, q] = variants.map(({ probabilityBest }: Answer['body']) => probabilityBest);
    expect(p + q).toBeCloseTo(1, 10);
  });

  test('counts conversions while the lead exists and is CONVERTED', async () => {
    const one = await newVariant(1);
    await world.campaign(account, {
      promptTemplateId: one,
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId: one }],
    });
    await answersTo(someCustomers(4));
    const [lead, second] = await world.leads();
    const change = (lead_id: string, status: string) => ask(updateLead, { lead_id }, { status });

    await Promise.all([lead, lead, lead, second].map(({ id }) => change(id, 'CONVERTED')));
    expect((await results()).variants).toMatchObject([
      { assignments: 4, conversions: 2, conversionRate: 50, probabilityBest: 1 },
    ]);
    await change(lead.id, 'QUALIFIED');
    expect((await results()).variants).toMatchObject([{ assignments: 4, conversions: 1 }]);
    await ask(deleteLead, { lead_id: second.id });
    expect((await results()).variants).toMatchObject([{ assignments: 4, conversions: 0 }]);
  });

  test('counts the conversion of a comment for its private answer, too', async () => {
    const one = await newVariant(1);
    await world.campaign(account, {
      promptTemplateId: one,
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId: one }],
    });
    await world.say(account, { type: 'comment', text: 'The price?', from: newCustomer() });
    await world.workOff();
    const [lead] = await world.leads();

    await ask(updateLead, { lead_id: lead.id }, { status: 'CONVERTED' });
    expect((await results()).variants).toMatchObject([{ assignments: 1, conversions: 1 }]);
    await ask(updateLead, { lead_id: lead.id }, { status: 'LOST' });
    expect((await results()).variants).toMatchObject([{ assignments: 1, conversions: 0 }]);
  });
});

describe('an optimized test', () => {
  test('gives new conversations to the better variant, and existing ones keep theirs', async () => {
    const [worse, better] = [await newVariant(1_000), await newVariant(0.001)];
    await world.agent({ promptTemplateId: worse, channels: ['DIRECT_MESSAGE'] });
    const early = someCustomers(2);
    const before = await answersTo(early);
    await Promise.all([plantResults(worse, 100, 1), plantResults(better, 100, 50)]);

    const after = await answersTo([...early, ...someCustomers(6)]);

    expect([...before.values()]).toEqual([worse, worse]);
    const ofEarly = early.map(({ id }) => after.get(id));
    expect(ofEarly).toEqual([worse, worse]);
    expect([...after.values()].filter((id) => id === better)).toHaveLength(6);
    const { variants } = await results();
    expect(variants).toMatchObject([
      { templateId: better, assignments: 106, conversions: 50 },
      { templateId: worse, assignments: 102, conversions: 1 },
    ]);
    expect(variants[0].probabilityBest).toBeGreaterThan(0.999);
  });

  test('uses the weights if one active variant is not optimized', async () => {
    const [worse, better] = [await newVariant(1_000, { optimize: false }), await newVariant(0.001)];
    await world.agent({ promptTemplateId: worse, channels: ['DIRECT_MESSAGE'] });
    await Promise.all([plantResults(worse, 100, 1), plantResults(better, 100, 50)]);

    const answered = await answersTo(someCustomers(3));

    expect([...answered.values()]).toEqual([worse, worse, worse]);
    const abTestVariant = { variant: 'A', testId, weight: 1_000, optimize: true };
    await ask(ai.updateInteractiveTemplate, { template_id: worse }, { abTestVariant });
    const [late] = someCustomers(1);
    expect((await answersTo(late ? [late] : [])).get(late?.id ?? '')).toBe(better);
  });
});
