import { describe, expect, it } from 'vitest';
import { scopesOf } from '#lib/vendors/networks/token-answer.ts';

describe('scopesOf', () => {
  it.each([
    ['tweet.read,tweet.write', ['tweet.read', 'tweet.write']],
    ['tweet.read tweet.write', ['tweet.read', 'tweet.write']],
    ['tweet.read, tweet.write ,', ['tweet.read', 'tweet.write']],
    ['', []],
    [' ', []],
  ])('splits "%s" and drops empty scopes', (list, scopes) => {
    expect(scopesOf(list)).toEqual(scopes);
  });
});
