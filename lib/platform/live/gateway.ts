import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { config } from '#lib/platform/config.ts';

/** The gateway's limit for one message. */
export const maxMessageBytes = 128 * 1_024;

/** One attempt only, because the message may have arrived even if the response was lost. */
function connect(): ApiGatewayManagementApiClient {
  return new ApiGatewayManagementApiClient(
    clientSettings({
      endpoint: config.websocketUrl.replace(/^ws/, 'http'),
      connectMs: 500,
      requestMs: 1_000,
      maxAttempts: 1,
    }),
  );
}

let client: ApiGatewayManagementApiClient | undefined;

function gateway(): ApiGatewayManagementApiClient {
  client ??= connect();

  return client;
}

export type SendOutcome = 'sent' | 'gone' | { readonly failure: unknown };

export function sendToConnection(connectionId: string, message: string): Promise<SendOutcome> {
  return outcomeOf(
    gateway().send(
      new PostToConnectionCommand({ ConnectionId: connectionId, Data: Buffer.from(message) }),
    ),
  );
}

export function closeConnection(connectionId: string): Promise<SendOutcome> {
  return outcomeOf(gateway().send(new DeleteConnectionCommand({ ConnectionId: connectionId })));
}

async function outcomeOf(call: Promise<unknown>): Promise<SendOutcome> {
  try {
    await call;

    return 'sent';
  } catch (failure) {
    return isGone(failure) ? 'gone' : { failure };
  }
}

function isGone(failure: unknown): boolean {
  const { $metadata } = failure as { $metadata?: { httpStatusCode?: number } };

  return $metadata?.httpStatusCode === 410;
}
