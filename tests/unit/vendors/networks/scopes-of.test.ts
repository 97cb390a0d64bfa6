import { describe, expect, it } from 'vitest';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';

describe('the scopes of a token', () => {
  it.each([
    ['tweet.read,tweet.write', ['tweet.read', 'tweet.write']],
    ['tweet.read tweet.write', ['tweet.read', 'tweet.write']],
    ['tweet.read, tweet.write ,', ['tweet.read', 'tweet.write']],
    ['', []],
    [' ', []],
  ])('are taken from "%s" without empty ones', (list, scopes) => {
    expect(scopesOf(list)).toEqual(scopes);
  });
});
