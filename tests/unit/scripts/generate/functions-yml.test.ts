import { describe, expect, it } from 'vitest';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { generateFunctionsYml } from '#scripts/build/generate/functions-yml.ts';
import { type Registry, registry } from '#scripts/build/generate/registry.ts';
import { fixtureRegistry } from '#tests/support/fixture-registry.ts';

const small = fixtureRegistry({ endpoints: 1, workers: 1, jobs: 1 });

function entriesOf(folder: string, registry: Registry = small): string {
  const file = generateFunctionsYml(registry).find(
    ({ path }) => path === `functions/${folder}/functions.yml`,
  );

  return file?.content ?? '';
}

function withEndpoint(changes: Partial<Registry['endpoints'][number]>): Registry {
  return { ...small, endpoints: small.endpoints.map((endpoint) => ({ ...endpoint, ...changes })) };
}

describe('generateFunctionsYml', () => {
  it('generates one file per folder', () => {
    expect(generateFunctionsYml(small).map(({ path }) => path)).toEqual([
      'functions/organizations/functions.yml',
      'functions/docs/functions.yml',
      'functions/live/functions.yml',
      'functions/workers/functions.yml',
      'functions/jobs/functions.yml',
    ]);
  });

  it('uses the settings of the endpoint contract', () => {
    const registry = withEndpoint({ timeoutSeconds: 25, memoryMb: 1769, role: 'static' });

    expect(entriesOf('organizations', registry)).toContain(`read-fixture-number1:
  name: social-leads-\${sls:stage}-read-fixture-number1
  description: "Read the fixture with the number 1"
  handler: functions/organizations/read-fixture-number1.handler
  role: StaticRole
  memorySize: 1769
  timeout: 25
  disableLogs: true
  logs:
    logGroup: /social-leads/\${sls:stage}/api
  events:
    - httpApi:
        method: GET
        path: /fixtures/{organization_id}/kind-1/{fixture_id}
`);
  });

  it('includes unknown-route with the least privileged role', () => {
    expect(entriesOf('docs')).toMatch(/unknown-route:[\s\S]*role: StaticRole[\s\S]*httpApi: "\*"/);
  });

  it('includes the function of the WebSocket API, with its three routes', () => {
    expect(entriesOf('live')).toContain(`  events:
    - websocket: $connect
    - websocket: $disconnect
    - websocket: $default
`);
  });

  it('gives the address of the WebSocket API only to functions that use it', () => {
    const registry = withEndpoint({ usesWebsocket: true });

    expect(entriesOf('organizations', registry)).toContain(
      `  environment:\n    WEBSOCKET_URL: \${param:websocketUrl}\n`,
    );
    expect(entriesOf('workers')).not.toContain('WEBSOCKET_URL');
  });

  it('connects a worker to its queue and reports only failed messages', () => {
    expect(entriesOf('workers')).toContain(`  events:
    - sqs:
        arn:
          Fn::GetAtt: [FixtureWorker1Queue, Arn]
        batchSize: 5
        maximumConcurrency: 10
        functionResponseType: ReportBatchItemFailures
`);
  });

  it('allows recursive loops only for workers', () => {
    expect(entriesOf('workers')).toContain('  recursiveLoop: Allow\n');
    expect(entriesOf('organizations') + entriesOf('jobs')).not.toContain('recursiveLoop');
  });

  it('leaves a fifth of the account concurrency to requests', () => {
    const ofAllWorkers = deployedFunctions(registry)
      .map(({ event }) => (event.kind === 'queue' ? event.maxConcurrency : 0))
      .reduce((sum, one) => sum + one, 0);

    expect(ofAllWorkers).toBeGreaterThan(0);
    expect(
      ofAllWorkers,
      'Workers may use 800 of 1,000 concurrent executions, and use 10 each by default. Set a lower `maxConcurrency` in schemas/messages.ts',
    ).toBeLessThanOrEqual(800);
  });

  it('runs jobs on their schedule', () => {
    expect(entriesOf('jobs')).toContain('- rate(5 minutes)');
  });

  it('rejects two functions with the same name', () => {
    const [worker] = small.workers;

    expect(() =>
      generateFunctionsYml({ ...small, workers: [worker, worker].filter((one) => !!one) }),
    ).toThrow('Two functions have the name fixture-worker-1');
  });

  it('rejects a description that contains a framework variable', () => {
    expect(() => generateFunctionsYml(withEndpoint({ summary: `Reads \${env:HOME}` }))).toThrow(
      `must not contain \${`,
    );
  });
});
