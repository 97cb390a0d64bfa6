import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** Starts a server that closes when the test finishes. */
export async function localServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });

  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves media from an origin that is exempt from the rules for public URLs. */
export async function mediaServer(listener: RequestListener): Promise<string> {
  const origin = await localServer(listener);
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origin);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });

  return `${origin}/medium`;
}

export function mediaAt(contentType: string, bytes: Buffer): Promise<string> {
  return mediaServer((_request, response) => {
    response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.byteLength });
    response.end(bytes);
  });
}

/** Serves several media files from one origin, by path. */
export async function mediaFiles(
  files: Readonly<Record<string, readonly [contentType: string, content: string | Buffer]>>,
): Promise<string> {
  const url = await mediaServer((request, response) => {
    const [contentType, content] = files[request.url ?? ''] ?? [];
    if (contentType === undefined || content === undefined) {
      response.writeHead(404).end();

      return;
    }
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(content),
    });
    response.end(content);
  });

  return new URL(url).origin;
}
