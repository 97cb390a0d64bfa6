import { describe, expect, it } from 'vitest';
import { checkLimits, nearLimits, usageOf } from '#scripts/build/check/template/check-limits.ts';
import type { Template } from '#scripts/build/package/template.ts';

type Size = {
  readonly resources?: number;
  readonly queues?: number;
  readonly parameters?: number;
  readonly routes?: number;
  readonly sizeBytes?: number;
  readonly name?: string;
};

const many = (count: number, part: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Part${index}`, part]));

function compiledWith({
  resources = 1,
  queues = 1,
  parameters = 1,
  routes = 1,
  sizeBytes = 1_000,
  name = 'read',
}: Size) {
  const paths = Object.fromEntries(
    Array.from({ length: routes }, (_, index) => [`/${index}`, { get: {} }]),
  );
  const template: Template = {
    Resources: {
      // The gateway is one of the resources.
      ...many(resources - 1, { Type: 'AWS::Lambda::Function', Properties: { FunctionName: name } }),
      HttpApi: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Body: { paths } } },
    },
  };
  const Queues = {
    Resources: many(queues, { Type: 'AWS::SQS::Queue' }) as Template['Resources'],
    Parameters: many(parameters, { Type: 'String' }),
  };
  const none = { Resources: {} };

  return { template, nested: { Queues, Triggers: none, Alarms: none }, sizeBytes };
}

describe('checkLimits', () => {
  it('accepts 95% of the limits, and names of 64 characters', () => {
    const compiled = compiledWith({
      resources: 475,
      queues: 475,
      parameters: 190,
      routes: 285,
      sizeBytes: 996_147,
      name: 'x'.repeat(64),
    });

    expect(checkLimits(compiled)).toEqual([]);
    expect(nearLimits(compiled)).toHaveLength(5);
  });

  it.each<[string, Size, string]>([
    ['resources', { resources: 476 }, '476 of 500 resources of the stack'],
    ['resources of a nested stack', { queues: 476 }, '476 of 500 resources of Queues'],
    ['parameters', { parameters: 191 }, '191 of 200 parameters of Queues'],
    ['routes', { routes: 286 }, '286 of 300 routes and integrations of HttpApi'],
    ['bytes', { sizeBytes: 996_148 }, '996148 of 1048576 bytes of the template'],
  ])('rejects more %s', (_, size, problem) => {
    const compiled = compiledWith(size);

    expect(checkLimits(compiled)).toEqual([
      expect.stringContaining(`${problem} are used. \`npm run package\` fails above 95%`),
    ]);
    expect(nearLimits(compiled)).toEqual([]);
  });

  it('rejects a longer name', () => {
    expect(checkLimits(compiledWith({ resources: 2, name: 'x'.repeat(65) }))).toEqual([
      `The function name ${'x'.repeat(65)} has more than 64 characters`,
    ]);
  });

  it('warns above 85%, and not before', () => {
    expect(nearLimits(compiledWith({ resources: 425, routes: 255 }))).toEqual([]);
    expect(nearLimits(compiledWith({ resources: 426, routes: 256 }))).toEqual([
      expect.stringContaining('426 of 500 resources of the stack'),
      expect.stringContaining('256 of 300 routes and integrations of HttpApi'),
    ]);
  });

  it('reports the use of every limit', () => {
    expect(usageOf(compiledWith({ queues: 52 }))).toContainEqual({
      what: 'resources of Queues',
      used: 52,
      limit: 500,
    });
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

    expect(checkLimits({ ...compiledWith({ sizeBytes: 1_048_577 }), template })).toEqual([
      expect.stringContaining('largest environment variable is STAGE: 12 bytes'),
    ]);
  });
});
