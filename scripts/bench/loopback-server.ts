import { once } from 'node:events';
import type { Server } from 'node:http';

export type LoopbackServer = {
  readonly url: string;
  /** Breaks all connections. */
  readonly close: () => Promise<void>;
};

/** Makes a server listen on a free local port. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('The server has no port');
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
