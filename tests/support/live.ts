import { randomUUID } from 'node:crypto';
import { handler } from '#functions/live/live-connections.ts';
import { createLiveTicket } from '#schemas/live.ts';
import { call } from './api.ts';
import { sandbox } from './mails.ts';

type Caller = { readonly organizationId: string; readonly token: string };

export async function newTicket({ organizationId, token }: Caller): Promise<string> {
  const { body } = await call(createLiveTicket, {
    params: { organization_id: organizationId },
    token,
  });

  return body.ticket;
}

/** The event of the WebSocket API, with the fields that the service reads. */
function gatewayEvent(
  eventType: 'CONNECT' | 'DISCONNECT' | 'MESSAGE',
  connectionId: string,
  fields: object = {},
) {
  return { requestContext: { eventType, connectionId }, ...fields } as Parameters<
    typeof handler
  >[0];
}

/** Performs the handshake and returns its status. */
export async function shakeHands(
  ticket: string | undefined,
  connectionId: string = randomUUID(),
): Promise<number> {
  const fields = ticket === undefined ? {} : { queryStringParameters: { ticket } };

  return (await handler(gatewayEvent('CONNECT', connectionId, fields))).statusCode;
}

/** Opens a connection like a client and returns its id. */
export async function openConnection(caller: Caller): Promise<string> {
  const connectionId = randomUUID();
  const status = await shakeHands(await newTicket(caller), connectionId);
  if (status !== 200) {
    throw new Error(`The handshake returned ${status}`);
  }
  await sandbox.openConnection(connectionId);

  return connectionId;
}

export async function endConnection(connectionId: string): Promise<void> {
  await sandbox.endConnection(connectionId);
  await handler(gatewayEvent('DISCONNECT', connectionId));
}

export async function sendAsClient(connectionId: string, body: string): Promise<unknown> {
  return handler(gatewayEvent('MESSAGE', connectionId, { body }));
}

async function requestsTo(connectionId: string, method: string) {
  const requests = await sandbox.requests({ service: 'live' });

  return requests.filter(
    (request) => request.method === method && request.path.endsWith(connectionId),
  );
}

/** Returns the messages that were sent to a connection, including those it did not receive. */
export async function messagesTo(
  connectionId: string,
): Promise<ReadonlyArray<{ readonly type: string; readonly data: Record<string, unknown> }>> {
  return (await requestsTo(connectionId, 'POST')).map(({ body }) => JSON.parse(body));
}

export async function isClosed(connectionId: string): Promise<boolean> {
  return (await requestsTo(connectionId, 'DELETE')).length > 0;
}
