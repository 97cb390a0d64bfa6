import { expect, it } from 'vitest';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';

it('newOneTimeToken creates unique URL-safe tokens of 256 bits', () => {
  const tokens = Array.from({ length: 10_000 }, newOneTimeToken);

  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.every((token) => /^[A-Za-z0-9_-]{43}$/.test(token))).toBe(true);
});

it('hashToken returns the SHA-256 hash of a token', () => {
  expect(hashToken('token')).toBe('PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A');
  expect(hashToken('token')).not.toBe(hashToken('token '));
});
