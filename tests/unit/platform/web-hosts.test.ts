import { describe, expect, test } from 'vitest';
import { linkedHosts, namedHosts } from '#lib/platform/web-hosts.ts';
import { growthOf } from '#tests/support/cpu-growth.ts';

describe('linkedHosts', () => {
  test.each([
    ['See https://shop.example/offers?x=1.', ['shop.example']],
    ['HTTP://SHOP.Example:8080', ['shop.example']],
    ['(https://shop.example)', ['shop.example']],
    ['www.shop.example', ['www.shop.example']],
    ['go to shop.example/offers, now', ['shop.example']],
    ['https://named.example@evil.example', ['evil.example']],
    ['named.example@evil.example/x', ['evil.example']],
    ['https://named.example\\@evil.example/', ['named.example']],
    ['https:\\\\evil.example\\x', ['evil.example']],
    ['https:///evil.example', ['evil.example']],
    ['ftp://evil.example/x', ['evil.example']],
    ['evil。example/x', ['evil.example']],
    ['https://ev\u200bil.example/', ['evil.example']],
    ['пример.рф/путь', ['xn--e1afmkfd.xn--p1ai']],
    ['http://0x7f000001/', ['127.0.0.1']],
    ['https://[::1]/', ['[::1]']],
    ['https://shop.example/?next=evil.example/x', ['shop.example']],
    ['https://a.example、https://b.example/x', ['a.example', 'b.example']],
    ['詳細はhttps://shop.exampleをご覧ください', ['shop.example']],
    [`https://${'a'.repeat(500)}@evil.example`, ['evil.example']],
    ['shop.example', []],
    ['ada@shop.example', []],
    ['24/7, and/or, 1.5/2, e.g./etc.', []],
    ['https://', []],
  ])('finds the hosts that a browser opens in %s', (text, hosts) => {
    expect([...linkedHosts(text)]).toEqual(hosts);
  });

  test.each(['a.', '@', 'a@', 'a.b@', ')', 'www.', 'a.bc:1', 'https://a@', 'a-'])(
    'takes time proportional to the length of a text of "%s"',
    async (unit) => {
      const text = (size: number) => unit.repeat(size / unit.length);

      expect(await growthOf(text, namedHosts, 24_000)).toBeLessThan(4);
    },
  );
});

describe('namedHosts', () => {
  test.each([
    ['Our shop is shop.example.', ['shop.example']],
    ['Write to first.last@shop.example', ['shop.example']],
    ['https://www.shop.example/x and SHOP.example', ['www.shop.example', 'shop.example']],
    ['Nothing here. Really', []],
  ])('finds hosts with or without scheme and path in %s', (text, hosts) => {
    expect([...namedHosts(text)]).toEqual(hosts);
  });
});
