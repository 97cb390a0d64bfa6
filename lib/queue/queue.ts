import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { config } from '#lib/config.ts';

/** Two tries of two seconds: a caller waits for them, and what is not sent here the sweep sends. */
const client = new SQSClient({
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    throwOnRequestTimeout: true,
  },
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
