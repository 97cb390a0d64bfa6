import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';

const expected = createHmac('sha256', 'secret').update('a body').digest();

test('hmacOf signs its parts as one message', () => {
  expect(hmacOf('secret', 'a ', Buffer.from('body'))).toEqual(expected);
});

test.each(['hex', 'base64'] as const)('isSignature accepts a valid signature in %s', (encoding) => {
  expect(isSignature(expected.toString(encoding), encoding, expected)).toBe(true);
});

test('isSignature rejects a missing, truncated, extended, or altered signature', () => {
  const hex = expected.toString('hex');
  const flipped = Buffer.from(expected);
  flipped[31] = (flipped[31] ?? 0) ^ 1;

  for (const given of [undefined, '', 'é', hex.slice(0, -2), `${hex}00`, flipped.toString('hex')]) {
    expect(isSignature(given, 'hex', expected)).toBe(false);
  }
});
