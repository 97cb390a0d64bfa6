import { BlockList, isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { config } from '#lib/platform/config.ts';

function addressList(entries: readonly string[]): BlockList {
  const addresses = new BlockList();
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) {
      addresses.addAddress(network, family);
    } else {
      addresses.addSubnet(network, Number(prefix), family);
    }
  }

  return addresses;
}

const trusted = addressList(config.trustedProxies);

function isTrusted(address: string): boolean {
  const version = isIP(address);

  return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns the client's IP address: the gateway's source address or, if that is one of our proxies
 * (TRUSTED_PROXIES: addresses or networks), the last untrusted address in `X-Forwarded-For`.
 */
export function clientIp(event: APIGatewayProxyEventV2): string {
  const { sourceIp } = event.requestContext.http;
  if (!isTrusted(sourceIp)) {
    return sourceIp;
  }
  const forwarded = (event.headers['x-forwarded-for'] ?? '').split(',').map((hop) => hop.trim());
  const client = forwarded.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop));

  return client ?? sourceIp;
}
