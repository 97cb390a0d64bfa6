import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * Resolves a host for one connection and returns exactly the addresses that it has checked, which
 * prevents DNS rebinding. A single private address rejects the host.
 */
export const checkedLookup: LookupFunction = (hostname, options, callback) => {
  resolveChecked(hostname).then(
    (addresses) => answer(addresses, options.all ?? false, callback),
    (failure: NodeJS.ErrnoException) => callback(failure, ''),
  );
};

async function resolveChecked(hostname: string): Promise<LookupAddress[]> {
  const addresses = await lookup(hostname, { all: true });
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new OutboundError('forbidden', 'The host does not resolve to a public address');
  }

  return addresses;
}

function answer(
  addresses: LookupAddress[],
  all: boolean,
  callback: Parameters<LookupFunction>[2],
): void {
  const [first] = addresses;
  if (all || !first) {
    callback(null, addresses);

    return;
  }
  callback(null, first.address, first.family);
}
