// In a process of its own: the variables are read as the module loads
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
});

beforeEach(() => vi.resetModules());

async function ipOf(trusted: string, sourceIp: string, forwarded?: string): Promise<string> {
  vi.stubEnv('TRUSTED_PROXIES', trusted);
  const { clientIp } = await import('#lib/platform/http/client-ip.ts');

  return clientIp({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    requestContext: { http: { sourceIp } },
  } as unknown as APIGatewayProxyEventV2);
}

describe('the address of a caller', () => {
  it.each([
    ['the gateway says so', '', '203.0.113.7', undefined, '203.0.113.7'],
    ['nobody is trusted', '', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['another one is trusted', '10.0.0.1', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a trusted proxy names it', '10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'a proxy in a trusted network names it',
      '10.0.0.0/8',
      '10.9.8.7',
      '198.51.100.1',
      '198.51.100.1',
    ],
    [
      'two proxies in a row name it',
      '10.0.0.0/8',
      '10.0.0.1',
      '198.51.100.1, 10.0.0.2',
      '198.51.100.1',
    ],
    [
      'the caller made up others before it',
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
    ['a proxy names nobody', '10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy names nonsense', '10.0.0.1', '10.0.0.1', 'unknown, , -', '10.0.0.1'],
    ['only proxies are named', '10.0.0.0/8', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.1'],
    ['it is of version 6', '2001:db8::/32', '2001:db8::1', '2001:4860::5', '2001:4860::5'],
    [
      'a proxy is written the other way',
      '10.0.0.0/8',
      '::ffff:10.0.0.1',
      '198.51.100.1',
      '198.51.100.1',
    ],
    ['lists have spaces', ' 10.0.0.1 , 10.0.0.2 ', '10.0.0.2', ' 198.51.100.1 ', '198.51.100.1'],
  ])('is found where %s', async (_, trusted, source, forwarded, expected) => {
    expect(await ipOf(trusted, source, forwarded)).toBe(expected);
  });
});
