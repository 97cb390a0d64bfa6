import { describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { put } from '#lib/platform/db/write.ts';
import * as ai from '#schemas/ai.ts';
import { plant } from '#scripts/fixtures/plant.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { agentSetup } from './setup.ts';

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

  it('returns pages by cursor and by number', async () => {
    const world = await agentSetup();
    for (const name of ['A', 'B', 'C']) {
      await world.createAgent({ name });
    }
    const list = async (query: Readonly<Record<string, string>>) =>
      (await world.ask(ai.listAgents, { query })).body;
    const names = ({ aiAgents }: { aiAgents: ReadonlyArray<{ name: string }> }) =>
      aiAgents.map(({ name }) => name);
    const first = await list({ limit: '2' });

    expect(names(first)).toEqual(['C', 'B']);
    expect(first).toMatchObject({ total: 3, pagination: { total: 3, limit: 2, hasMore: true } });
    expect(names(await list({ limit: '2', cursor: first.pagination.nextCursor }))).toEqual(['A']);
    expect(names(await list({ limit: '2', page: '2' }))).toEqual(['A']);
    expect((await list({})).pagination).toMatchObject({ limit: 3, hasMore: false });
  });

  it('returns as many as fit into the response, and continues by cursor', async () => {
    const world = await agentSetup();
    const created = (await world.createAgent({ name: 'A' })).body.aiAgent;
    const { organizationId } = world.owner;
    const variables = Object.fromEntries(
      Array.from({ length: 19 }, (_, index) => [`v${index}`, '\u20ac'.repeat(1_000)]),
    );
    const ids = Array.from({ length: 150 }, () => crypto.randomUUID());
    for (const id of ids) {
      await plant(put(keys.record(organizationId, 'AGENT', id), { ...created, id, variables }));
    }
    const all = await world.ask(ai.listAgents);

    expect(all.status).toBe(200);
    expect(all.body.total).toBe(151);
    expect(all.body.aiAgents.length).toBeGreaterThan(50);
    expect(all.body.pagination).toMatchObject({
      limit: all.body.aiAgents.length,
      hasMore: true,
    });
    const query = { cursor: all.body.pagination.nextCursor, limit: '1' };
    const next = await world.ask(ai.listAgents, { query });
    const shown = all.body.aiAgents.map(({ id }: { id: string }) => id);
    expect(shown).not.toContain(next.body.aiAgents[0].id);
  });
});
