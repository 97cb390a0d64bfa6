import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLimits } from '#scripts/check/template/check-limits.ts';
import { findWildcards } from '#scripts/check/template/find-wildcards.ts';
import { validateTemplate } from '#scripts/check/template/validate-template.ts';
import { type CompiledTemplate, compileTemplate } from '#scripts/package/template.ts';
import { fixtureRegistry } from '#tests/support/fixture-registry.ts';
import { createFixtureService } from '#tests/support/fixture-service.ts';

const endpointCount = 124;
/** With the one that answers unknown routes: 140 functions. */
const service = createFixtureService(
  fixtureRegistry({ endpoints: endpointCount, workers: 8, jobs: 7 }),
);
let compiled: CompiledTemplate;

function resourcesOf(type: string): readonly Record<string, unknown>[] {
  return Object.values(compiled.template.Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties = {} }) => Properties);
}

beforeAll(async () => {
  compiled = await compileTemplate(service.folder, ['--stage', 'dev']);
});

afterAll(() => {
  service.remove();
});

describe('the deployment of 140 functions', () => {
  it('has all of them, and keeps every limit', () => {
    expect(resourcesOf('AWS::Lambda::Function')).toHaveLength(140);
    expect(checkLimits(compiled)).toEqual([]);
  });

  it("is what AWS's own specification of its resources asks for", () => {
    expect(validateTemplate(compiled.template)).toEqual([]);
  });

  it('allows nothing with a wildcard that has no reason', () => {
    expect(findWildcards(compiled.template, 'dev')).toEqual([]);
  });

  it('calls every function in a role, without a permission on each', () => {
    const invocationRole = { 'Fn::GetAtt': ['InvocationRole', 'Arn'] };
    const integrations = resourcesOf('AWS::ApiGatewayV2::Integration');

    expect(integrations).toHaveLength(endpointCount + 1);
    expect(integrations.filter(({ CredentialsArn }) => !CredentialsArn)).toEqual([]);
    expect(integrations[0]).toMatchObject({ CredentialsArn: invocationRole });
    expect(resourcesOf('AWS::Lambda::Permission')).toEqual([]);
  });

  it('runs on Node 24, arm64, with shared log groups', () => {
    for (const properties of resourcesOf('AWS::Lambda::Function')) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        LoggingConfig: {
          LogGroup: expect.stringMatching(/^\/social-leads\/dev\/(api|workers|jobs)$/),
        },
      });
    }
  });

  it('gives functions no secret', () => {
    const [{ Environment } = {}] = resourcesOf('AWS::Lambda::Function');
    const { Variables } = Environment as { Variables: Record<string, unknown> };

    expect(Object.keys(Variables).filter((name) => /KEY|TOKEN|PASSWORD/.test(name))).toEqual([]);
    expect(Variables.SECRET_ID).toBe('social-leads/dev');
  });

  it('gives every worker a queue whose failures end in a dead-letter queue', () => {
    const queues = resourcesOf('AWS::SQS::Queue');

    expect(queues).toHaveLength(16);
    expect(queues.filter(({ RedrivePolicy }) => RedrivePolicy)).toHaveLength(8);
  });
});
