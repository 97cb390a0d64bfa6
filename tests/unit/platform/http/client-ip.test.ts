// Runs in a separate process: the module reads its variables when it loads
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeEach, describe, expect, it, vi } from 'vitest';

beforeEach(() => vi.resetModules());

async function ipOf(trusted: string, sourceIp: string, forwarded?: string): Promise<string> {
  vi.stubEnv('TRUSTED_PROXIES', trusted);
  const { clientIp } = await import('#lib/platform/http/client-ip.ts');

  return clientIp({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    requestContext: { http: { sourceIp } },
  } as unknown as APIGatewayProxyEventV2);
}

describe('client IP address', () => {
  it.each([
    ['the gateway provides it', '', '203.0.113.7', undefined, '203.0.113.7'],
    ['no proxy is trusted', '', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['another proxy is trusted', '10.0.0.1', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a trusted proxy forwards it', '10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'a proxy in a trusted network forwards it',
      '10.0.0.0/8',
      '10.9.8.7',
      '198.51.100.1',
      '198.51.100.1',
    ],
    ['two proxies forward it', '10.0.0.0/8', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    [
      'the caller forged earlier addresses',
      '10.0.0.0/8',
      '10.0.0.1',
      '1.1.1.1, 2.2.2.2, 198.51.100.1',
      '198.51.100.1',
    ],
    [
      'the caller claims to be trusted',
      '10.0.0.0/8',
      '10.0.0.1',
      '10.6.6.6, 198.51.100.1',
      '198.51.100.1',
    ],
    ['a proxy forwards no address', '10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy forwards invalid addresses', '10.0.0.1', '10.0.0.1', 'unknown, , -', '10.0.0.1'],
    ['only proxies are listed', '10.0.0.0/8', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.1'],
    ['it is IPv6', '2001:db8::/32', '2001:db8::1', '2001:4860::5', '2001:4860::5'],
    [
      'a proxy has an IPv4-mapped address',
      '10.0.0.0/8',
      '::ffff:10.0.0.1',
      '198.51.100.1',
      '198.51.100.1',
    ],
    [
      'the lists have spaces',
      ' 10.0.0.1 , 10.0.0.2 ',
      '10.0.0.2',
      ' 198.51.100.1 ',
      '198.51.100.1',
    ],
  ])('returns the expected address when %s', async (_, trusted, source, forwarded, expected) => {
    expect(await ipOf(trusted, source, forwarded)).toBe(expected);
  });
});
