import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { expect, test } from 'vitest';
import { startSetup } from './setup.ts';

const ConnectionId = 'L0SM9cOFvHcCIhw=';

async function start() {
  const { url, control } = await startSetup({ 'social-leads/test': '{}' });
  const client = new ApiGatewayManagementApiClient({
    endpoint: `${url}/live`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  const post = (bytes: number) =>
    client.send(new PostToConnectionCommand({ ConnectionId, Data: Buffer.alloc(bytes, 'x') }));

  return { url, control, client, post };
}

test('the WebSocket stand-in delivers messages of up to 128 KB until the connection is closed', async () => {
  const { control, client, post } = await start();
  await expect(post(1)).rejects.toMatchObject({ name: 'GoneException' });
  await control.openConnection(ConnectionId);

  await post(128 * 1_024);
  await expect(post(128 * 1_024 + 1)).rejects.toMatchObject({ name: 'PayloadTooLargeException' });
  await client.send(new DeleteConnectionCommand({ ConnectionId }));

  await expect(post(1)).rejects.toMatchObject({ name: 'GoneException' });
  await expect(client.send(new DeleteConnectionCommand({ ConnectionId }))).rejects.toMatchObject({
    name: 'GoneException',
  });
});

test('the WebSocket stand-in rejects unsigned requests', async () => {
  const { url, control } = await start();
  await control.openConnection(ConnectionId);

  const { status } = await fetch(`${url}/live/@connections/${encodeURIComponent(ConnectionId)}`, {
    method: 'POST',
    body: 'x',
  });

  expect(status).toBe(403);
});

test('the WebSocket stand-in lets a client end its connection only once', async () => {
  const { control } = await start();
  await control.openConnection(ConnectionId);
  await control.endConnection(ConnectionId);

  await expect(control.endConnection(ConnectionId)).rejects.toThrow('404');
});
