import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { config } from '#lib/platform/config.ts';
import { newId } from '#lib/platform/ids.ts';
import { type QueueOwner, queueName, type WorkerDefinition } from '#schemas/contract.ts';

/** Only two attempts, because a caller is waiting. If both fail, the sweep sends the message. */
export const client = new SQSClient(
  clientSettings({
    endpoint: config.sqsEndpoint,
    connectMs: config.queueTimeoutMs / 2,
    requestMs: config.queueTimeoutMs,
    maxAttempts: 2,
  }),
);

export type MessageOptions = {
  /** The tenant that owns the work. SQS fair queues keep one tenant from delaying others. */
  readonly tenant?: string | undefined;
  readonly group?: string | undefined;
  /** Whole seconds, at most 900. Not supported by FIFO queues. */
  readonly delaySeconds?: number | undefined;
};

/**
 * Sends a message to a worker's queue. FIFO queues keep the order within a group. Each message has
 * its own deduplication id, because repeated work must be delivered again. In standard queues, the
 * group is the tenant, for SQS fair queues.
 */
export async function sendToWorker(
  worker: WorkerDefinition,
  body: object,
  { tenant, group, delaySeconds }: MessageOptions = {},
): Promise<void> {
  const messageId = newId();
  await client.send(
    new SendMessageCommand({
      QueueUrl: `${config.queueUrlPrefix}${queueName(worker)}`,
      MessageBody: JSON.stringify(body),
      ...(worker.inOrder
        ? { MessageGroupId: group ?? messageId, MessageDeduplicationId: messageId }
        : { MessageGroupId: tenant }),
      ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
    }),
  );
}

type ReturnedMessage = { readonly receiptHandle: string; readonly delaySeconds: number };

/** Makes at most ten received messages visible again after their delays. */
export async function returnToQueue(
  worker: WorkerDefinition,
  messages: readonly ReturnedMessage[],
): Promise<void> {
  await client.send(
    new ChangeMessageVisibilityBatchCommand({
      QueueUrl: `${config.queueUrlPrefix}${queueName(worker)}`,
      Entries: messages.map(({ receiptHandle, delaySeconds }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: delaySeconds,
      })),
    }),
  );
}

/** Returns the approximate number of messages in a queue. */
export async function countWaitingMessages(owner: QueueOwner): Promise<number> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: `${config.queueUrlPrefix}${queueName(owner)}`,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );

  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
}
