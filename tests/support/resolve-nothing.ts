import names from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const resolve = names.lookup;

/**
 * Resolves only this machine's own name. Other hosts do not exist, as on a machine without a
 * network. Looking them up there can take five seconds.
 */
names.lookup = (async (hostname: string, options: object) => {
  if (hostname === 'localhost') {
    return resolve(hostname, options);
  }
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
}) as typeof resolve;
syncBuiltinESMExports();
