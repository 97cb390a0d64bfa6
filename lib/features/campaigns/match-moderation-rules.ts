import { linkedHosts } from '#lib/platform/web-hosts.ts';
import { createKeywordMatcher } from './keyword-matcher.ts';
import type { ModerationRule } from './moderation-rules.ts';

export type RuleMatcher = (socialAccountId: string, text: string) => ModerationRule | undefined;

/** Returns a function that finds the oldest active rule of an account that matches a text. */
export function createRuleMatcher(rules: readonly ModerationRule[]): RuleMatcher {
  const active = rules
    .filter(({ isActive }) => isActive)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const { match } = createKeywordMatcher(
    active.flatMap(({ id: ruleId, words }) =>
      words.map((keyword) => ({
        keyword,
        matchType: 'CONTAINS' as const,
        priority: 1,
        campaignId: ruleId,
      })),
    ),
  );

  return (socialAccountId, text) => {
    const ofAccount = active.filter(
      ({ socialAccountIds: ids }) => ids.length === 0 || ids.includes(socialAccountId),
    );
    if (ofAccount.length === 0) {
      return undefined;
    }
    const byWord = new Set(match(text).map(({ campaignId: ruleId }) => ruleId));
    const hasLink = ofAccount.some(({ links }) => links) && linkedHosts(text).size > 0;

    return ofAccount.find(({ id, links }) => byWord.has(id) || (links && hasLink));
  };
}
