import { describe, expect, it } from 'vitest';
import { generateQueuesYml } from '#scripts/build/generate/queues-yml.ts';
import { fixtureRegistry } from '#tests/support/fixture-registry.ts';

const registry = fixtureRegistry({ endpoints: 1, workers: 1, jobs: 1 });

function queuesOf(inOrder: boolean): string {
  const workers = registry.workers.map((worker) => ({ ...worker, inOrder }));

  return generateQueuesYml({ ...registry, workers })[0]?.content ?? '';
}

describe('generateQueuesYml', () => {
  it('generates FIFO queues for an ordered worker, including the dead-letter queue', () => {
    const content = queuesOf(true);

    expect(content).toContain(`QueueName: social-leads-\${sls:stage}-fixture-worker-1.fifo
        FifoQueue: true
        FifoThroughputLimit: perMessageGroupId
        DeduplicationScope: messageGroup
        VisibilityTimeout: 180
`);
    expect(content).toContain(`QueueName: social-leads-\${sls:stage}-fixture-worker-1-dlq.fifo
        FifoQueue: true
        FifoThroughputLimit: perMessageGroupId
        DeduplicationScope: messageGroup
        MessageRetentionPeriod`);
  });

  it('generates standard queues for all other workers', () => {
    expect(queuesOf(false)).not.toMatch(/fifo/i);
  });
});
