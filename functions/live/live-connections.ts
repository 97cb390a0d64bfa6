import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { closeLiveConnection, openLiveConnection } from '#lib/platform/live/open-connection.ts';

type ConnectEvent = APIGatewayProxyWebsocketEventV2 & {
  readonly queryStringParameters?: { readonly ticket?: string };
};

/** Opens and closes live connections. Messages from clients are ignored. */
export async function handler({
  requestContext: { eventType, connectionId },
  queryStringParameters,
}: ConnectEvent): Promise<{ readonly statusCode: number }> {
  if (eventType === 'CONNECT') {
    const isOpened = await openLiveConnection(queryStringParameters?.ticket ?? '', connectionId);

    return { statusCode: isOpened ? 200 : 401 };
  }
  if (eventType === 'DISCONNECT') {
    await closeLiveConnection(connectionId);
  }

  return { statusCode: 200 };
}
