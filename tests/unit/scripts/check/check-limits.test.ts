import { describe, expect, it } from 'vitest';
import { checkLimits } from '#scripts/build/check/template/check-limits.ts';

type Size = { readonly resources?: number; readonly sizeBytes?: number; readonly name?: string };

function problemsWith({ resources = 470, sizeBytes = 1_000_000, name = 'read' }: Size): string[] {
  const properties = { FunctionName: name };
  const all = Array.from(
    { length: resources },
    (_, index) =>
      [`Function${index}`, { Type: 'AWS::Lambda::Function', Properties: properties }] as const,
  );

  return checkLimits({ template: { Resources: Object.fromEntries(all) }, sizeBytes });
}

describe('checkLimits', () => {
  it('accepts 470 resources, 1 MB, and names of 64 characters', () => {
    expect(problemsWith({ name: 'x'.repeat(64) })).toEqual([]);
  });

  it.each<[string, Size, string]>([
    ['more resources', { resources: 471 }, 'The template has 471 resources. The limit is 470'],
    [
      'more bytes',
      { sizeBytes: 1_000_001 },
      'The template has 1000001 bytes. The limit is 1000000',
    ],
    [
      'a longer name',
      { resources: 1, name: 'x'.repeat(65) },
      `The function name ${'x'.repeat(65)} has more than 64 characters`,
    ],
  ])('rejects a template with %s', (_, size, problem) => {
    expect(problemsWith(size)).toEqual([problem]);
  });

  it('names the variable that fills a template which is too large', () => {
    const withPlans = (name: string, BILLING_PLANS: string) => ({
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: name,
        Environment: { Variables: { STAGE: 'prod', BILLING_PLANS } },
      },
    });
    const template = { Resources: { A: withPlans('a', '[]'), B: withPlans('b', '[]') } };

    expect(checkLimits({ template, sizeBytes: 1_000_001 })).toEqual([
      expect.stringContaining('largest environment variable is STAGE: 12 bytes'),
    ]);
  });
});
