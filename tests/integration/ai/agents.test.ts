import { beforeAll, describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

let owner: Account;
let promptTemplateId: string;

beforeAll(async () => {
  owner = await newAccount();
  const body = { name: 'Sales', templateContent: 'You answer for {{companyName}}.' };
  promptTemplateId = (await ask(ai.createPromptTemplate, { body })).body.promptTemplate.id;
});

function ask(contract: Contract, options: Call = {}): Promise<Answer> {
  const params = { organization_id: owner.organizationId, ...options.params };

  return call(contract, { token: owner.token, ...options, params });
}

function create(body: object = {}): Promise<Answer> {
  return ask(ai.createAgent, {
    body: { name: crypto.randomUUID(), promptTemplateId, channels: ['COMMENT'], ...body },
  });
}

const hours = { start: '22:00', end: '06:00', timezone: 'Asia/Kolkata' };

describe('an agent', () => {
  it('defaults to active, ten answers, no delay and no business hours', async () => {
    const { status, body } = await create();

    expect(status).toBe(201);
    expect(body.aiAgent).toMatchObject({
      status: 'ACTIVE',
      autoResponse: true,
      responseDelay: 0,
      maxResponsesPerConversation: 10,
      businessHoursOnly: false,
      businessHours: null,
      variables: null,
    });
  });

  it('accepts a template of either kind and rejects unknown ones', async () => {
    const variant = await ask(ai.createInteractiveTemplate, {
      body: { name: 'Variant', templateContent: 'Hello' },
    });
    const byVariant = await create({ promptTemplateId: variant.body.interactiveTemplate.id });
    const unknown = await create({ promptTemplateId: crypto.randomUUID() });

    expect(byVariant.status).toBe(201);
    expect(unknown.status).toBe(404);
    expect(unknown.body.message).toBe("Prompt template not found or you don't have access");
  });

  it.each([
    [{ channels: [] }, 'channels must contain at least one valid channel type'],
    [{ channels: ['COMMENT', 'COMMENT'] }, 'channels must not contain duplicate channels'],
    [{ businessHoursOnly: true }, 'businessHours is required when businessHoursOnly is true'],
    [
      { businessHours: { ...hours, start: '24:00' } },
      'businessHours.start must be a time in HH:MM format',
    ],
    [
      { businessHours: { ...hours, timezone: 'Mars/Olympus' } },
      'businessHours.timezone must be an IANA time zone name',
    ],
  ])('rejects %j', async (body, says) => {
    const answer = await create(body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([says]);
  });

  it('changes only the given fields, and keeps business hours as long as they are needed', async () => {
    const { id } = (await create({ businessHoursOnly: true, businessHours: hours })).body.aiAgent;
    const params = { agent_id: id };
    const paused = await ask(ai.updateAgent, { params, body: { status: 'PAUSED' } });
    const refused = await ask(ai.updateAgent, { params, body: { businessHours: null } });
    const changed = await ask(ai.updateAgent, {
      params,
      body: { businessHours: null, businessHoursOnly: false, variables: { discount: '10 %' } },
    });

    expect(paused.body.aiAgent).toMatchObject({ status: 'PAUSED', businessHours: hours });
    expect(refused.status).toBe(400);
    expect(changed.body.aiAgent).toMatchObject({
      status: 'PAUSED',
      businessHours: null,
      variables: { discount: '10 %' },
    });
  });

  it('can be deleted by an admin, which releases its name', async () => {
    const member = await newMember(owner, 'MEMBER');
    const { id, name } = (await create()).body.aiAgent;
    const params = { agent_id: id };
    const refused = await ask(ai.deleteAgent, { params, token: member.token });

    expect(refused.status).toBe(403);
    expect((await ask(ai.deleteAgent, { params })).status).toBe(200);
    expect((await ask(ai.getAgent, { params })).body.message).toBe(
      "AI agent not found or you don't have access",
    );
    expect((await create({ name })).status).toBe(201);
  });

  it('records its changes in the audit log', async () => {
    const { id } = (await create()).body.aiAgent;
    const params = { agent_id: id };
    await ask(ai.updateAgent, { params, body: { status: 'TESTING' } });
    await ask(ai.deleteAgent, { params });
    const { body } = await ask(listAuditLog, { query: { limit: '100' } });
    const own = body.entries.filter((entry: { targetId: string }) => entry.targetId === id);

    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'agent.deleted',
      'agent.updated',
      'agent.created',
    ]);
  });
});

describe('listing agents', () => {
  it('filters by status and channel', async () => {
    const stranger = await newAccount();
    const theirs = { token: stranger.token, params: { organization_id: stranger.organizationId } };
    const template = await call(ai.createPromptTemplate, {
      ...theirs,
      body: { name: 'Sales', templateContent: 'Hello' },
    });
    const templateId = template.body.promptTemplate.id;
    for (const channels of [['COMMENT'], ['COMMENT', 'POST'], ['DIRECT_MESSAGE']]) {
      const body = { name: channels.join(), promptTemplateId: templateId, channels };
      await call(ai.createAgent, { ...theirs, body });
    }
    const list = async (query: Readonly<Record<string, string>>) =>
      (await call(ai.listAgents, { ...theirs, query })).body;

    expect(await list({})).toMatchObject({
      total: 3,
      aiAgents: [
        { name: 'DIRECT_MESSAGE', conversationCount: 0, averageResponseTime: 0 },
        { name: 'COMMENT,POST' },
        { name: 'COMMENT' },
      ],
    });
    expect(await list({ channel: 'COMMENT' })).toMatchObject({ total: 2 });
    expect(await list({ channel: 'COMMENT', status: 'PAUSED' })).toMatchObject({ total: 0 });
  });
});
