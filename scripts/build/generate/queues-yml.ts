import {
  deadLettersOf,
  queueName,
  visibilitySeconds,
  type WorkerDefinition,
} from '#schemas/contract.ts';
import { type GeneratedFile, generatedNotice } from './generated-file.ts';
import { pascalCase } from './pascal-case.ts';
import type { Registry } from './registry.ts';

const retentionSeconds = 14 * 24 * 3600;

/** `mail-delivery` → `MailDeliveryQueue`. */
export function queueLogicalId(workerName: string): string {
  return `${pascalCase(workerName)}Queue`;
}

export function deadLetterQueueLogicalId(workerName: string): string {
  return `${pascalCase(workerName)}DeadLetterQueue`;
}

/**
 * Generates each worker's queue and dead-letter queue. serverless.yml includes `resources`, and
 * grants access to the queues in `arns`. For those in `allArns`, it only allows counting messages.
 */
export function generateQueuesYml({ workers }: Registry): readonly GeneratedFile[] {
  return [
    {
      path: 'functions/workers/queues.yml',
      content: `${generatedNotice}
arns:
${arnsOf(workers.map(({ name }) => queueLogicalId(name)))}
allArns:
${arnsOf(workers.flatMap(({ name }) => [queueLogicalId(name), deadLetterQueueLogicalId(name)]))}
resources:
  Resources:
${workers.map(queuePair).join('\n')}`,
    },
  ];
}

function arnsOf(logicalIds: readonly string[]): string {
  return logicalIds.map((id) => `  - Fn::GetAtt: [${id}, Arn]\n`).join('');
}

/**
 * FIFO per message group. Throughput and deduplication also apply per group, because a limit for
 * the whole queue would allow only 300 calls per second.
 */
const orderedKind = `
        FifoQueue: true
        FifoThroughputLimit: perMessageGroupId
        DeduplicationScope: messageGroup`;

function queuePair(worker: WorkerDefinition): string {
  const { name, maxReceiveCount, inOrder = false } = worker;
  const kind = inOrder ? orderedKind : '';
  const deadLetters = queueName(deadLettersOf(worker));

  return `    ${queueLogicalId(name)}:
      Type: AWS::SQS::Queue
      Properties:
        QueueName: social-leads-\${sls:stage}-${queueName(worker)}${kind}
        VisibilityTimeout: ${visibilitySeconds(worker)}
        MessageRetentionPeriod: ${retentionSeconds}
        SqsManagedSseEnabled: true
        RedrivePolicy:
          deadLetterTargetArn:
            Fn::GetAtt: [${deadLetterQueueLogicalId(name)}, Arn]
          maxReceiveCount: ${maxReceiveCount}

    ${deadLetterQueueLogicalId(name)}:
      Type: AWS::SQS::Queue
      Properties:
        QueueName: social-leads-\${sls:stage}-${deadLetters}${kind}
        MessageRetentionPeriod: ${retentionSeconds}
        SqsManagedSseEnabled: true
`;
}
