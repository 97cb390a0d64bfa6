import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

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
