import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isPublicAddress } from '#lib/outbound/public-address.ts';
import { checkPublicUrl, publicUrlProblem } from '#lib/outbound/public-url.ts';
import { privateTargets } from '#tests/support/private-targets.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a URL that a stranger names', () => {
  test.each(privateTargets)('is refused where it leads inside: %s', (url) => {
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
  ])('is taken where it leads outside: %s', (url) => {
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
  ])('%s: %s', (url, problem) => {
    expect(publicUrlProblem(url)).toBe(problem);
  });

  test('is refused by a 400 that names its field', () => {
    expect(() => checkPublicUrl('https://10.0.0.1/', 'mediaUrls.0')).toThrow(
      'mediaUrls.0 must point to a public address',
    );
  });

  test('is taken from an exempt origin, and from no other that looks like it', () => {
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

  test('never makes the check fail in any other way', () => {
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
    );
  });
});

describe('an address', () => {
  const privateFirstBytes = [0, 10, 127, ...Array.from({ length: 32 }, (_, index) => 224 + index)];

  test('of a private network is never public, wherever in the network it lies', () => {
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

  test('of IPv4 is not public within one of IPv6, however it is put there', () => {
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
    'that is none is not public: %s',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
