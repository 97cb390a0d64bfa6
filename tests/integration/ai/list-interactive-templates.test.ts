import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { templateContent } from './setup.ts';

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
