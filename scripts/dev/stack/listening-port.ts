import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The port to listen on: a free one for 0, the wanted one if nobody listens there.
 * A taken port is an error that names the variable to set.
 */
export async function listeningPort(wanted: number, variable: string): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted);
    await once(server, 'listening');
    const address = server.address();

    return typeof address === 'object' && address !== null ? address.port : wanted;
  } catch (cause) {
    throw new Error(portMessage(wanted, variable, cause), { cause });
  } finally {
    server.close();
  }
}

function portMessage(port: number, variable: string, cause: unknown): string {
  const isForbidden = cause instanceof Error && 'code' in cause && cause.code === 'EACCES';
  const reason = isForbidden ? 'may not be used without privileges' : 'is taken';

  return `Port ${port} ${reason}: end what listens there, or set ${variable} to a free port.`;
}
