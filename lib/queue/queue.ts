import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { config } from '#lib/config.ts';

const client = new SQSClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
  ...(config.sqsEndpoint ? { endpoint: config.sqsEndpoint } : {}),
});

/** Puts a message into the queue of the worker of that name. */
export async function sendToWorker(workerName: string, body: object): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: `${config.queueUrlPrefix}${workerName}`,
      MessageBody: JSON.stringify(body),
    }),
  );
}
