import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** A server for one test, at an origin that strangers' URLs may name. */
export async function localServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origin);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });

  return origin;
}

/** Files for posts, by their path: a type and what they hold. */
export function mediaFiles(
  files: Readonly<Record<string, readonly [contentType: string, content: string | Buffer]>>,
): Promise<string> {
  return localServer((request, response) => {
    const [contentType, content] = files[request.url ?? ''] ?? [];
    if (contentType === undefined || content === undefined) {
      response.writeHead(404).end();

      return;
    }
    response
      .writeHead(200, {
        'content-type': contentType,
        'content-length': Buffer.byteLength(content),
      })
      .end(content);
  });
}
