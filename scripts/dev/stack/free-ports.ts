import { listeningPort } from './listening-port.ts';

/**
 * Returns a port for each variable: a free one for 0, otherwise the given one. If a port is in use,
 * throws an error with its variable.
 */
export async function freePorts<Name extends string>(
  wanted: Readonly<Record<Name, { readonly port: number; readonly variable: string }>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(wanted) as Name[];
  const ports = await Promise.all(
    names.map((name) => listeningPort(wanted[name].port, wanted[name].variable)),
  );

  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<
    Name,
    number
  >;
}
