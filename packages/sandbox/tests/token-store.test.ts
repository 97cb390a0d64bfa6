import { expect, test } from 'vitest';
import { createTokenStore, type TokenRules } from '../src/services/networks/token-store.ts';

const rules: TokenRules = {
  prefix: 'token-',
  accessSeconds: 3_600,
  refreshSeconds: 86_400,
  isRotating: true,
  scopes: ['read', 'write'],
};

function storeWith(changes: Partial<TokenRules> = {}) {
  let at = Date.parse('2026-01-01T00:00:00Z');
  const store = createTokenStore({ ...rules, ...changes }, () => new Date(at));

  return {
    store,
    pass: (seconds: number) => {
      at += seconds * 1_000;
    },
  };
}

test('the token store accepts a token until it expires and reports an unknown token as unknown', () => {
  const { store, pass } = storeWith();
  const { accessToken, scopes } = store.issue({ userId: 'u' });
  const short = store.issue({ userId: 'u', expiresIn: 10, scopes: ['read'] });

  expect(scopes).toEqual(['read', 'write']);
  expect(short.scopes).toEqual(['read']);
  pass(10);
  expect(store.check(accessToken).state).toBe('valid');
  expect(store.check(short.accessToken).state).toBe('expired');
  expect(store.check('token-made-up').state).toBe('unknown');
  pass(3_590);
  expect(store.check(accessToken).state).toBe('expired');
});

test('the token store accepts a rotating refresh token once and revokes its whole family on reuse', () => {
  const { store } = storeWith();
  const first = store.issue({ userId: 'u' });
  const other = store.issue({ userId: 'u' });
  const second = store.refresh(first.refreshToken);

  expect(second?.refreshToken).not.toBe(first.refreshToken);
  expect(store.check(String(second?.accessToken)).state).toBe('valid');
  expect(store.refresh(first.refreshToken)).toBeUndefined();
  expect(store.check(String(second?.accessToken)).state).toBe('revoked');
  expect(store.refresh(String(second?.refreshToken))).toBeUndefined();
  expect(store.check(other.accessToken).state).toBe('valid');
});

test('the token store keeps a non-rotating refresh token until it expires', () => {
  const { store, pass } = storeWith({ isRotating: false });
  const first = store.issue({ userId: 'u', expiresIn: 5 });
  const second = store.refresh(first.refreshToken);
  pass(6);

  expect(second?.refreshToken).toBe(first.refreshToken);
  expect(store.check(first.accessToken).state).toBe('expired');
  expect(store.check(String(second?.accessToken)).state).toBe('valid');
  pass(86_400);
  expect(store.refresh(first.refreshToken)).toBeUndefined();
});

test('the token store extends a valid token in place or with a new one, but not an expired token', () => {
  const { store, pass } = storeWith();
  const first = store.issue({ userId: 'u', expiresIn: 10 });
  const beside = store.extend(first.accessToken, 'asNew');
  const same = store.extend(first.accessToken, 'inPlace');
  pass(20);

  expect(beside?.accessToken).not.toBe(first.accessToken);
  expect(same?.accessToken).toBe(first.accessToken);
  expect(store.check(first.accessToken).state).toBe('valid');
  pass(3_600);
  expect(store.extend(first.accessToken, 'inPlace')).toBeUndefined();
});

test('the token store revokes immediately by access token or refresh token', () => {
  const { store } = storeWith();
  const one = store.issue({ userId: 'u' });
  const other = store.issue({ userId: 'u' });

  expect(store.revoke(one.accessToken)).toBe(true);
  expect(store.revoke(other.refreshToken)).toBe(true);
  expect(store.revoke('token-made-up')).toBe(false);
  expect([one, other].map(({ accessToken }) => store.check(accessToken).state)).toEqual([
    'revoked',
    'revoked',
  ]);
  expect(store.refresh(one.refreshToken)).toBeUndefined();
});
