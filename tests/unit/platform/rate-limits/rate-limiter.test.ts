import { describe, expect, it } from 'vitest';
import { addressRangeOf } from '#lib/platform/rate-limits/rate-limiter.ts';

describe('addressRangeOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
    ['not an address', 'not an address'],
  ])('counts %s with %s', (address, network) => {
    expect(addressRangeOf(address)).toBe(network);
  });
});
