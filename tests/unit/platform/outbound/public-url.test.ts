import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isPublicAddress } from '#lib/platform/outbound/public-address.ts';
import { publicUrlProblem, publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { depth } from '#tests/support/depth.ts';
import { privateTargets } from '#tests/support/private-targets.ts';

afterEach(() => vi.unstubAllEnvs());

describe('publicUrlProblem and publicUrlProblems', () => {
  test.each(privateTargets)('rejects a private URL: %s', (url) => {
    expect(publicUrlProblem(url)).toMatch(/^must/);
  });

  test.each([
    'https://hooks.example.com',
    'https://hooks.example.com:8443/path?query=1',
    'https://HOOKS.Example.COM./x',
    'https://bücher.example/hook',
    'https://1.1.1.1/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://172.15.255.255/',
    'https://172.32.0.1/',
    'https://100.63.255.255/',
    'https://100.128.0.1/',
    'https://169.253.1.1/',
    'https://localhost.example.com/',
    'https://example.com/?next=http://127.0.0.1/',
  ])('accepts a public URL: %s', (url) => {
    expect(publicUrlProblem(url)).toBeUndefined();
  });

  test.each([
    ['http://hooks.example.com/', 'must be an https URL'],
    ['ftp://hooks.example.com/', 'must be an https URL'],
    ['javascript:alert(1)', 'must be an https URL'],
    ['data:text/html,x', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['hooks.example.com', 'must be an https URL'],
    ['https://', 'must be an https URL'],
    ['', 'must be an https URL'],
    ['https://ada:secret@hooks.example.com/', 'must not contain credentials'],
    ['https://ada@hooks.example.com/', 'must not contain credentials'],
    ['https://hooks.example.com:22/', 'must use port 443 or a port above 1023'],
    ['https://hooks.example.com:25/', 'must use port 443 or a port above 1023'],
    ['https://hooks.example.com:80/', 'must use port 443 or a port above 1023'],
    ['https://127.0.0.1/', 'must point to a public address'],
  ])('rejects "%s": %s', (url, problem) => {
    expect(publicUrlProblem(url)).toBe(problem);
  });

  test('names the field, if it has a URL', () => {
    expect(publicUrlProblems('mediaUrls.0', 'https://10.0.0.1/')).toEqual([
      'mediaUrls.0 must point to a public address',
    ]);
    expect(publicUrlProblems('url', null)).toEqual([]);
  });

  test('accepts an exempt origin, but no similar one', () => {
    vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', 'http://127.0.0.1:4000');

    expect(publicUrlProblem('http://127.0.0.1:4000/_sandbox/hooks/x')).toBeUndefined();
    for (const other of [
      'http://127.0.0.1:4001/',
      'http://127.0.0.1/',
      'https://127.0.0.1:4000/',
      'http://127.0.0.1.:4001/',
      'http://127.0.0.1:4000@10.0.0.1/',
      'http://ada:secret@127.0.0.1:4000/',
    ]) {
      expect(publicUrlProblem(other)).toMatch(/^must/);
    }
  });

  test('never throws for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((rest) => `https://${rest}`),
        ),
        (url) => {
          expect(publicUrlProblem(url) ?? 'must').toMatch(/^must/);
        },
      ),
      { numRuns: depth(30, 1_000) },
    );
  });
});

describe('isPublicAddress', () => {
  const privateFirstBytes = [0, 10, 127, ...Array.from({ length: 32 }, (_, index) => 224 + index)];

  test('returns false for every address of a private network', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...privateFirstBytes),
        fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)),
        (first, rest) => {
          expect(isPublicAddress([first, ...rest].join('.'))).toBe(false);
        },
      ),
    );
  });

  test('returns false for an IPv4 address embedded in IPv6', () => {
    const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(bytes, ([a, b, c, d]) => {
        const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        for (const carrier of [
          `::ffff:${a}.${b}.${c}.${d}`,
          `::ffff:${groups}`,
          `::${groups}`,
          `64:ff9b::${groups}`,
          `64:ff9b:1::${groups}`,
          `2002:${groups}::1`,
          `2001:0:${groups}::`,
        ]) {
          expect(isPublicAddress(carrier)).toBe(false);
        }
      }),
    );
  });

  test.each(['', 'localhost', '127.1', '0x7f000001', '1.2.3', '1.2.3.4.5', ':::', 'fe80::1%eth0'])(
    'returns false for an invalid address: %s',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
