import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import {
  deadLettersOf,
  queueName,
  visibilitySeconds,
  type WorkerDefinition,
} from '#schemas/contract.ts';
import { listeningPort } from './listening-port.ts';

const maxFileBytes = 1_000_000_000;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export type AwsEmulatorOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly stage: string;
  readonly region: string;
  readonly workers: readonly WorkerDefinition[];
  /** Created on start. */
  readonly bucket?: string;
  /** Origins from which browsers may upload, like `ALLOWED_ORIGINS` in a deployment. */
  readonly uploadOrigins?: readonly string[];
};

export type AwsEmulator = {
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts an emulator with every worker's queue and dead-letter queue, and with object storage. */
export async function startAwsEmulator(options: AwsEmulatorOptions): Promise<AwsEmulator> {
  const port = await listeningPort(options.port, 'AWS_PORT');
  // Uses `buildApp` because fauxqs' own start function listens on every network interface.
  const app = buildApp({ logger: false, defaultRegion: options.region });
  acceptLargeFiles(app);
  acceptBrowserUploads(app, options.uploadOrigins ?? []);
  await app.listen({ port, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}`;
  await Promise.all([createQueues(url, options), createBucket(url, options)]);

  return {
    url,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** The emulator accepts only 11 MB, but a video can have a gigabyte. */
function acceptLargeFiles(app: ReturnType<typeof buildApp>): void {
  app.removeContentTypeParser('*');
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxFileBytes },
    async (_request: unknown, body: Buffer) => body,
  );
}

/** Answers CORS requests like S3 with the bucket's CORS rule in `serverless.yml`. */
function acceptBrowserUploads(app: ReturnType<typeof buildApp>, origins: readonly string[]): void {
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    const { origin = '', 'access-control-request-headers': wanted = '' } = headers;
    const isPreflight = method === 'OPTIONS';
    const wantedMethod = isPreflight ? headers['access-control-request-method'] : method;
    const isAllowed =
      origins.includes(origin) && wantedMethod === 'PUT' && /^(content-type)?$/i.test(wanted);
    if (isAllowed) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '3600',
        vary: 'Origin',
      });
    }
    if (isPreflight) {
      return reply.code(isAllowed ? 200 : 403).send();
    }
  });
}

async function createBucket(url: string, { region, bucket }: AwsEmulatorOptions): Promise<void> {
  if (!bucket) {
    return;
  }
  const client = new S3Client({ endpoint: url, region, credentials, forcePathStyle: true });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  } finally {
    client.destroy();
  }
}

async function createQueues(url: string, options: AwsEmulatorOptions): Promise<void> {
  const client = new SQSClient({
    endpoint: url,
    region: options.region,
    credentials,
  });
  try {
    await Promise.all(
      options.workers.map((worker) =>
        createWorkerQueue(client, `social-leads-${options.stage}-`, worker),
      ),
    );
  } finally {
    client.destroy();
  }
}

async function createWorkerQueue(
  client: SQSClient,
  prefix: string,
  worker: WorkerDefinition,
): Promise<void> {
  const kind = worker.inOrder ? { FifoQueue: 'true' } : {};
  const deadLetters = queueName(deadLettersOf(worker));
  const created = await client.send(
    new CreateQueueCommand({ QueueName: `${prefix}${deadLetters}`, Attributes: kind }),
  );
  const deadLetterQueue = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: created.QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  await client.send(
    new CreateQueueCommand({
      QueueName: `${prefix}${queueName(worker)}`,
      Attributes: {
        ...kind,
        VisibilityTimeout: String(visibilitySeconds(worker)),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: deadLetterQueue.Attributes?.QueueArn,
          maxReceiveCount: worker.maxReceiveCount,
        }),
      },
    }),
  );
}
