import { queueName, type WorkerDefinition } from '#schemas/contract.ts';
import { type GeneratedFile, generatedNotice } from './generated-file.ts';
import type { Registry } from './registry.ts';

/** A worker gives up a message only when it surely no longer works on it; AWS advises six times. */
const visibilityPerTimeout = 6;
const retentionSeconds = 14 * 24 * 3600;

/** `mail-delivery` → `MailDeliveryQueue`. */
export function queueLogicalId(workerName: string): string {
  return `${pascalCase(workerName)}Queue`;
}

export function deadLetterQueueLogicalId(workerName: string): string {
  return `${pascalCase(workerName)}DeadLetterQueue`;
}

/**
 * The queues of the workers, each with its dead-letter queue. serverless.yml takes `resources` into
 * the stack, and grants access to what `arns` lists.
 */
export function generateQueuesYml({ workers }: Registry): readonly GeneratedFile[] {
  return [
    {
      path: 'functions/workers/queues.yml',
      content: `${generatedNotice}
arns:
${workers.map(({ name }) => `  - Fn::GetAtt: [${queueLogicalId(name)}, Arn]\n`).join('')}
resources:
  Resources:
${workers.map(queuePair).join('\n')}`,
    },
  ];
}

/**
 * First in, first out within a group. Its quota and its memory of ids are each group's own: with
 * those of the whole queue, 300 calls a second would be all.
 */
const orderedKind = `
        FifoQueue: true
        FifoThroughputLimit: perMessageGroupId
        DeduplicationScope: messageGroup`;

function queuePair(worker: WorkerDefinition): string {
  const { name, timeoutSeconds, maxReceiveCount, inOrder = false } = worker;
  const kind = inOrder ? orderedKind : '';
  const deadLetters = queueName({ name: `${name}-dlq`, inOrder });

  return `    ${queueLogicalId(name)}:
      Type: AWS::SQS::Queue
      Properties:
        QueueName: social-leads-\${sls:stage}-${queueName(worker)}${kind}
        VisibilityTimeout: ${timeoutSeconds * visibilityPerTimeout}
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

function pascalCase(kebabCase: string): string {
  return kebabCase.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
