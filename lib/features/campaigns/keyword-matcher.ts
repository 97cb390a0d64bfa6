import {
  isWordEdge,
  normalizeKeywordText,
  normalizeMessageText,
  wordSpan,
  wordStartOf,
} from '#lib/platform/keyword-text.ts';
import type { MatchType } from '#schemas/campaigns.ts';

export type MatchableKeyword = {
  readonly keyword: string;
  readonly matchType: MatchType;
  /** 1 is the highest priority. */
  readonly priority: number;
  /** A UUIDv7, so a smaller id means an older campaign. */
  readonly campaignId: string;
};

export type KeywordMatcher<Keyword extends MatchableKeyword> = {
  readonly match: (text: string) => readonly Keyword[];
};

type Node<Keyword> = {
  readonly next: Map<string, Node<Keyword>>;
  readonly keywords: Keyword[];
};

const specificity: Readonly<Record<MatchType, number>> = {
  EXACT: 0,
  STARTS_WITH: 1,
  ENDS_WITH: 2,
  CONTAINS: 3,
};

/**
 * Ranks matches: lowest priority number, then EXACT, STARTS_WITH, ENDS_WITH, CONTAINS, then the
 * longer keyword, then the older campaign.
 */
export function compareMatches(one: MatchableKeyword, other: MatchableKeyword): number {
  return (
    one.priority - other.priority ||
    specificity[one.matchType] - specificity[other.matchType] ||
    normalizeKeywordText(other.keyword).length - normalizeKeywordText(one.keyword).length ||
    one.campaignId.localeCompare(other.campaignId) ||
    one.keyword.localeCompare(other.keyword)
  );
}

function newNode<Keyword>(): Node<Keyword> {
  return { next: new Map(), keywords: [] };
}

function insert<Keyword extends MatchableKeyword>(root: Node<Keyword>, keyword: Keyword): void {
  let node = root;
  for (const unit of normalizeKeywordText(keyword.keyword).split('')) {
    let next = node.next.get(unit);
    if (!next) {
      next = newNode();
      node.next.set(unit, next);
    }
    node = next;
  }
  if (node !== root) {
    node.keywords.push(keyword);
  }
}

/**
 * Builds a matcher for a set of keywords. It uses a trie, walked from each possible word start, so
 * the cost per text does not depend on the number of keywords.
 */
export function createKeywordMatcher<Keyword extends MatchableKeyword>(
  keywords: readonly Keyword[],
): KeywordMatcher<Keyword> {
  const root = newNode<Keyword>();
  for (const keyword of keywords) {
    insert(root, keyword);
  }

  return {
    match: (message) => {
      const text = normalizeMessageText(message);
      const span = wordSpan(text);
      const found = new Set<Keyword>();
      for (let start = 0; start < text.length; start += 1) {
        const wordStart = wordStartOf(text, start);
        if (wordStart !== undefined) {
          collect(root, text, start, (keyword, end) => {
            const isAtEnd = end >= span.end;
            // EXACT must match the whole text, including the prefixes of its word.
            const fits: Readonly<Record<MatchType, boolean>> = {
              EXACT: start <= span.start && isAtEnd,
              STARTS_WITH: wordStart <= span.start,
              ENDS_WITH: isAtEnd,
              CONTAINS: true,
            };
            if (fits[keyword.matchType]) {
              found.add(keyword);
            }
          });
        }
      }

      return [...found].sort(compareMatches);
    },
  };
}

function collect<Keyword extends MatchableKeyword>(
  root: Node<Keyword>,
  text: string,
  start: number,
  onMatch: (keyword: Keyword, end: number) => void,
): void {
  let node: Node<Keyword> | undefined = root;
  for (let end = start; end <= text.length && node; end += 1) {
    if (node.keywords.length > 0 && isWordEdge(text, end)) {
      for (const keyword of node.keywords) {
        onMatch(keyword, end);
      }
    }
    node = node.next.get(text.charAt(end));
  }
}
