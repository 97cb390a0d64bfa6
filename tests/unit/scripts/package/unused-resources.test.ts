import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { build } from 'esbuild';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registeredErrors } from '#scripts/build/package/unused-resources.ts';
import { projectPath } from '#scripts/project.ts';
import options from '../../../../esbuild.config.ts';

type Answer = { readonly status: number; readonly body: object };

let answer: Answer;
type Clients =
  | 'ApiGatewayManagementApiClient'
  | 'S3Client'
  | 'SecretsManagerClient'
  | 'SESv2Client'
  | 'SQSClient';

let bundled: Readonly<Record<Clients, unknown>> & {
  readonly DynamoDBClient: typeof DynamoDBClient;
  readonly GetItemCommand: typeof GetItemCommand;
  readonly ConditionalCheckFailedException: new (...args: never[]) => Error;
  readonly OpenAI: typeof OpenAI;
};
let url: string;
const folder = mkdtempSync(projectPath('node_modules/.cache/unused-resources-'));
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outfile = join(folder, 'bundle.mjs');
  await build({
    ...options,
    stdin: {
      contents: `export { ConditionalCheckFailedException, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
        export { default as OpenAI } from 'openai';
        export { ApiGatewayManagementApiClient } from '@aws-sdk/client-apigatewaymanagementapi';
        export { S3Client } from '@aws-sdk/client-s3';
        export { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
        export { SESv2Client } from '@aws-sdk/client-sesv2';
        export { SQSClient } from '@aws-sdk/client-sqs';`,
      resolveDir: projectPath(),
    },
    outfile,
    sourcemap: false,
  });
  bundled = await import(outfile);
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function failureOf(type: string, status = 400): Promise<unknown> {
  answer = {
    status,
    body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Not now' },
  };
  const client = new bundled.DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    maxAttempts: 1,
  });
  const command = new bundled.GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } });

  return client.send(command).catch((failure: unknown) => failure);
}

describe('a bundle without unused resources', () => {
  it.each([
    'ApiGatewayManagementApiClient',
    'DynamoDBClient',
    'S3Client',
    'SecretsManagerClient',
    'SESv2Client',
    'SQSClient',
  ] as const)('creates the %s', (name) => {
    const Client = bundled[name] as unknown as new (settings: object) => object;

    expect(new Client({ region: 'us-east-1' })).toHaveProperty('config');
  });

  it('keeps the classes of errors that lib distinguishes', async () => {
    const failure = await failureOf('ConditionalCheckFailedException');

    expect(failure).toBeInstanceOf(bundled.ConditionalCheckFailedException);
  });

  it.each([
    ['ProvisionedThroughputExceededException', 400],
    ['InternalServerError', 500],
  ])('keeps name, message and status of %s', async (name, status) => {
    expect(await failureOf(name, status)).toMatchObject({
      name,
      message: 'Not now',
      $metadata: { httpStatusCode: status },
    });
  });

  it('registers each error class of AWS that lib imports', () => {
    const sources = globSync('lib/**/*.ts', { cwd: projectPath() }).map((path) =>
      readFileSync(projectPath(path), 'utf8'),
    );
    const imported = sources.flatMap((source) =>
      [...source.matchAll(/^import \{([^}]*)\} from '@aws-sdk\/[^']*';/gm)].flatMap(
        ([, names = '']) => names.match(/\w+Exception\b/g) ?? [],
      ),
    );

    expect(imported).not.toEqual([]);
    expect(imported.filter((name) => !registeredErrors.has(name))).toEqual([]);
  });

  it('keeps the chat of the AI client', async () => {
    answer = { status: 200, body: { choices: [{ message: { content: 'Hello' } }] } };
    const client = new bundled.OpenAI({ apiKey: 'key', baseURL: url, maxRetries: 0 });
    const { choices } = await client.chat.completions.create({ model: 'm', messages: [] });

    expect(choices[0]?.message.content).toBe('Hello');
  });
});
