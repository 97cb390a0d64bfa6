import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { config } from '#lib/platform/config.ts';
import { queueName, type WorkerDefinition } from '#schemas/contract.ts';
import { client } from './queue.ts';

/** Returns the approximate number of messages in a worker's queue. */
export async function countWaitingMessages(worker: WorkerDefinition): Promise<number> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: `${config.queueUrlPrefix}${queueName(worker)}`,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );

  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
}
