import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { config } from '#lib/platform/config.ts';
import { newId } from '#lib/platform/ids.ts';
import { queueName, type WorkerDefinition } from '#schemas/contract.ts';

/** Two tries: a caller waits for them, and what is not sent here the sweep sends. */
export const client = new SQSClient(
  clientSettings({
    endpoint: config.sqsEndpoint,
    connectMs: config.queueTimeoutMs / 2,
    requestMs: config.queueTimeoutMs,
    maxAttempts: 2,
  }),
);

export type MessageOptions = {
  /** Who has the work to do: nobody waits long behind much work of another's. */
  readonly tenant?: string | undefined;
  readonly group?: string | undefined;
  /** Whole seconds, at most 900; none in a queue that keeps an order. */
  readonly delaySeconds?: number | undefined;
};

/**
 * Puts a message into a worker's queue. In a queue that keeps an order, messages of one group come
 * one after the other; each has an id of its own there, as work that is sent again must arrive. In
 * the others a group is a tenant, among whom SQS is fair.
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
