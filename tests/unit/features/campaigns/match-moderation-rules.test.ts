import { describe, expect, it } from 'vitest';
import { createRuleMatcher } from '#lib/features/campaigns/match-moderation-rules.ts';
import type { ModerationRule } from '#lib/features/campaigns/moderation-rules.ts';

function rule(id: string, overrides: Partial<ModerationRule> = {}): ModerationRule {
  return {
    id,
    organizationId: 'org-1',
    name: id,
    socialAccountIds: [],
    words: [],
    links: false,
    isActive: true,
    hiddenCount: 0,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...overrides,
  };
}

const matching = (rules: readonly ModerationRule[], text: string, account = 'account-1') =>
  createRuleMatcher(rules)(account, text)?.id;

describe('a moderation rule for words', () => {
  const rules = [rule('1', { words: ['free followers', 'scam'] })];

  it.each([
    ['Get FREE   followers now!', '1'],
    ['a scam', '1'],
    ['free\u200B f\u00ADollowers', '1'],
    ['(ＦＲＥＥ\u00A0followers!)', '1'],
    ['scammers', undefined],
    ['free', undefined],
    ['', undefined],
  ])('with %j matches %s', (text, id) => {
    expect(matching(rules, text)).toBe(id);
  });
});

describe('a moderation rule for links', () => {
  const rules = [rule('1', { links: true })];

  it.each([
    ['see https://bad.example', '1'],
    ['HTTP://bad.example/now', '1'],
    ['www.bad.example', '1'],
    ['bad.example/now', '1'],
    ['bad.example', undefined],
    ['Hello.How are you?', undefined],
    ['1/2 of them', undefined],
  ])('with %j matches %s', (text, id) => {
    expect(matching(rules, text)).toBe(id);
  });
});

it('matchModerationRules returns the oldest active rule of the account', () => {
  const words = ['scam'];
  const rules = [
    rule('4', { words }),
    rule('3', { words, socialAccountIds: ['account-2'] }),
    rule('2', { links: true }),
    rule('1', { words, isActive: false }),
  ];

  expect(matching(rules, 'scam')).toBe('4');
  expect(matching(rules, 'scam', 'account-2')).toBe('3');
  expect(matching(rules, 'scam at https://bad.example')).toBe('2');
  expect(matching([], 'scam')).toBeUndefined();
});
