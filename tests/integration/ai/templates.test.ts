import { beforeAll, describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

let owner: Account;

beforeAll(async () => {
  owner = await newAccount();
});

function ask(contract: Contract, options: Call = {}): Promise<Answer> {
  const params = { organization_id: owner.organizationId, ...options.params };

  return call(contract, { token: owner.token, ...options, params });
}

const templateContent = 'You answer for {{companyName}}.';

async function newTemplate(body: object = {}): Promise<Answer['body']> {
  const answer = await ask(ai.createPromptTemplate, {
    body: { name: crypto.randomUUID(), templateContent, ...body },
  });

  return answer.body.promptTemplate;
}

async function newVariant(body: object = {}): Promise<Answer['body']> {
  const answer = await ask(ai.createInteractiveTemplate, {
    body: { name: crypto.randomUUID(), templateContent, ...body },
  });

  return answer.body.interactiveTemplate;
}

describe('a prompt template', () => {
  it('is returned with missing values as null, empty or 0', async () => {
    expect(await newTemplate({ name: '  Sales  ' })).toMatchObject({
      name: 'Sales',
      description: null,
      inputVariables: [],
      businessInfo: { companyName: null, industry: null, products: [], services: [] },
      personalitySettings: { tone: null, style: null, expertise: null, language: null },
      isActive: true,
      usageCount: 0,
      testCount: 0,
    });
  });

  it('may have the same name as an interactive template', async () => {
    const name = crypto.randomUUID();
    await newTemplate({ name });

    expect((await newVariant({ name })).name).toBe(name);
  });

  it('needs content, which is optional for an interactive template', async () => {
    const name = crypto.randomUUID();
    const without = { body: { name, templateContent: null } };
    expect((await ask(ai.createPromptTemplate, without)).status).toBe(400);
    expect(await newVariant({ templateContent: null })).toMatchObject({ templateContent: '' });
  });

  it('rejects undeclared variables on creation and update', async () => {
    const says = ['templateContent has placeholders that are not in inputVariables: discount'];
    const body = { name: 'Discount', templateContent: '{{discount}} {{tone}}' };
    const refused = await ask(ai.createPromptTemplate, { body });
    const { id } = await newTemplate({ ...body, inputVariables: ['discount'] });
    const changed = await ask(ai.updatePromptTemplate, {
      params: { template_id: id },
      body: { inputVariables: null },
    });

    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual(says);
    expect(changed.body.message).toEqual(says);
  });

  it('changes only the given fields, and null clears a field', async () => {
    const { id } = await newTemplate({
      description: 'Old',
      businessInfo: { companyName: 'Engines', products: ['One'] },
    });
    const params = { template_id: id };
    const name = crypto.randomUUID();
    const { body } = await ask(ai.updatePromptTemplate, {
      params,
      body: { name, description: null, isActive: false },
    });

    expect(body.promptTemplate).toMatchObject({
      name,
      description: null,
      isActive: false,
      templateContent,
      businessInfo: { companyName: 'Engines', industry: null, products: ['One'], services: [] },
    });
    expect((await ask(ai.getPromptTemplate, { params })).body.promptTemplate).toEqual(
      body.promptTemplate,
    );
  });

  it('releases its name when it is renamed or deleted', async () => {
    const name = crypto.randomUUID();
    const one = await newTemplate({ name });
    await ask(ai.updatePromptTemplate, {
      params: { template_id: one.id },
      body: { name: crypto.randomUUID() },
    });
    const other = await newTemplate({ name });
    await ask(ai.deletePromptTemplate, { params: { template_id: other.id } });

    expect((await newTemplate({ name })).name).toBe(name);
  });

  it('cannot be deleted while an agent uses it', async () => {
    const [one, other] = [await newTemplate(), await newTemplate()];
    const body = { name: crypto.randomUUID(), promptTemplateId: one.id, channels: ['COMMENT'] };
    const { id } = (await ask(ai.createAgent, { body })).body.aiAgent;
    const remove = (template: { id: string }) =>
      ask(ai.deletePromptTemplate, { params: { template_id: template.id } });

    expect((await remove(one)).status).toBe(409);
    await ask(ai.updateAgent, { params: { agent_id: id }, body: { promptTemplateId: other.id } });
    expect((await remove(one)).status).toBe(200);
    expect((await remove(other)).status).toBe(409);
    await ask(ai.deleteAgent, { params: { agent_id: id } });
    expect((await remove(other)).status).toBe(200);
  });
});

describe('listing prompt templates', () => {
  it('returns consistent pages, exact totals and filters', async () => {
    const stranger = await newAccount();
    const theirs = { token: stranger.token, params: { organization_id: stranger.organizationId } };
    for (const [index, name] of ['Grüße', 'sales', 'Sales again', 'other', 'off'].entries()) {
      const body = { name, templateContent, isActive: index < 4, description: `about ${index}` };
      await call(ai.createPromptTemplate, { ...theirs, body });
    }
    const list = async (query: Readonly<Record<string, string>>) => {
      const { body } = await call(ai.listPromptTemplates, { ...theirs, query });

      return {
        ...body.pagination,
        names: body.promptTemplates.map((one: { name: string }) => one.name),
      };
    };
    const first = await list({ limit: '2' });

    expect(first).toMatchObject({ total: 5, names: ['off', 'other'], hasMore: true });
    expect((await list({ limit: '2', cursor: first.nextCursor })).names).toEqual([
      'Sales again',
      'sales',
    ]);
    expect(await list({ isActive: 'false' })).toMatchObject({ total: 1, names: ['off'] });
    expect(await list({ search: 'SALES' })).toMatchObject({
      total: 2,
      names: ['Sales again', 'sales'],
    });
    expect((await list({ search: 'GRÜSSE' })).names).toEqual(['Grüße']);
    expect((await list({ search: 'grusse' })).total).toBe(0);
    expect((await list({ search: 'grüße' })).names).toEqual(['Grüße']);
    expect((await list({ search: 'About 3' })).names).toEqual(['other']);
    const filtered = await list({ search: 'sales', limit: '1' });
    expect(filtered).toMatchObject({ total: 2, names: ['Sales again'], hasMore: true });
    expect(await list({ search: 'sales', limit: '1', cursor: filtered.nextCursor })).toMatchObject({
      page: 2,
      names: ['sales'],
      hasMore: false,
    });
  });
});

describe('listing interactive templates', () => {
  it('filters by test and by active state', async () => {
    const stranger = await newAccount();
    const theirs = { token: stranger.token, params: { organization_id: stranger.organizationId } };
    const variants = [
      { name: 'A', isActive: true, abTestVariant: { variant: 'A', testId: 'one', weight: 1 } },
      { name: 'B', isActive: false, abTestVariant: { variant: 'B', testId: 'one', weight: 2 } },
      { name: 'C', isActive: true },
    ];
    for (const variant of variants) {
      await call(ai.createInteractiveTemplate, {
        ...theirs,
        body: { templateContent, ...variant },
      });
    }
    const list = async (query: Readonly<Record<string, string>>) =>
      (await call(ai.listInteractiveTemplates, { ...theirs, query })).body;

    expect(await list({})).toMatchObject({
      total: 3,
      interactiveTemplates: [
        { name: 'C', abTestVariant: null, usageCount: 0 },
        { name: 'B' },
        {
          name: 'A',
          abTestVariant: { variant: 'A', testId: 'one', weight: 1 },
          performance: { averageResponseTime: 0, satisfactionScore: 0, conversionRate: 0 },
        },
      ],
    });
    expect(await list({ testId: 'one' })).toMatchObject({ total: 2 });
    expect(await list({ testId: 'one', isActive: 'true' })).toMatchObject({
      total: 1,
      interactiveTemplates: [{ name: 'A' }],
    });
  });
});
