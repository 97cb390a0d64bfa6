const link = /(?:https?:\/\/|(?<![\p{L}\p{N}@._-]))(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?]\S*)?/giu;
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\u{FE0F}|\p{Regional_Indicator}|\u{20E3}/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const shortenedLength = 23;

/**
 * Returns the length of a post as X counts it: links and emoji have a fixed length, and characters
 * beyond Latin to Georgian letters and punctuation count twice.
 * https://docs.x.com/fundamentals/counting-characters
 */
export function weightedLength(text: string): number {
  const normalized = text.normalize('NFC');
  const links = normalized.match(link)?.length ?? 0;
  let length = links * shortenedLength;
  for (const { segment } of graphemes.segment(normalized.replaceAll(link, ''))) {
    length += emoji.test(segment) ? 2 : weightOf(segment);
  }

  return length;
}

function weightOf(grapheme: string): number {
  const weights = Array.from(grapheme, (character) =>
    /[\0-\u{10FF}\u{2000}-\u{200D}\u{2010}-\u{201F}\u{2032}-\u{2037}]/u.test(character) ? 1 : 2,
  );

  return weights.reduce<number>((sum, weight) => sum + weight, 0);
}

const counted = {
  cashtags: /(?<![^\s(])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\p{L}\p{N}_])/giu,
  hashtags: /[#＃][\p{L}\p{M}\p{N}_]+/gu,
  mentions: /(?<![\p{L}\p{N}_./@])@[a-z\d_.]+/giu,
} as const;

/** Returns how many hashtags, mentions or cashtags a text has outside of links. */
export function countOf(kind: keyof typeof counted, text: string): number {
  return text.replaceAll(link, ' ').match(counted[kind])?.length ?? 0;
}
