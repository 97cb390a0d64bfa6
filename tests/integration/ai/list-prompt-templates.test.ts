import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { templateContent } from './setup.ts';

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
