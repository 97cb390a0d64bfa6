import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';

const expected = createHmac('sha256', 'secret').update('a body').digest();

test('the parts of what is signed make one message', () => {
  expect(hmacOf('secret', 'a ', Buffer.from('body'))).toEqual(expected);
});

test.each(['hex', 'base64'] as const)('the right signature passes in %s', (encoding) => {
  expect(isSignature(expected.toString(encoding), encoding, expected)).toBe(true);
});

test('a signature that is missing, cut, longer or one bit off is refused', () => {
  const hex = expected.toString('hex');
  const flipped = Buffer.from(expected);
  flipped[31] = (flipped[31] ?? 0) ^ 1;

  for (const given of [undefined, '', 'é', hex.slice(0, -2), `${hex}00`, flipped.toString('hex')]) {
    expect(isSignature(given, 'hex', expected)).toBe(false);
  }
});
