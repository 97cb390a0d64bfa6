import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns the port to listen on: a free one for 0, otherwise the given one. If the port is in use,
 * throws an error with the variable to set.
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
  const reason = isForbidden ? 'requires privileges' : 'is in use';

  return `Port ${port} ${reason}. Free it, or set ${variable} to another port.`;
}
