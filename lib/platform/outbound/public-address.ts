import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/** Non-public ranges in IANA's special-purpose address registry, plus cloud-internal addresses. */
const privateV4 = subnets('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's platform service, reachable from every VM.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/**
 * The only globally routable range. Everything else (loopback, unique-local, link-local, multicast,
 * IPv4-mapped, NAT64) is private or embeds an IPv4 address.
 */
const globalV6 = subnets('ipv6', [['2000::', 3]]);
const privateV6 = subnets('ipv6', [
  // Protocol assignments, including Teredo and ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which embeds an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]);

function subnets(
  family: 'ipv4' | 'ipv6',
  networks: ReadonlyArray<readonly [network: string, prefix: number]>,
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) {
    list.addSubnet(network, prefix, family);
  }

  return list;
}

/** True if an IP address, in canonical form, is publicly routable. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) {
    return !privateV4.check(address, 'ipv4');
  }
  if (isIP(address) === 6) {
    return globalV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
  }

  return false;
}

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
