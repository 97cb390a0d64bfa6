let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into graphemes, the characters that a reader sees: an accented letter is one, and
 * an emoji of several code points is one. The segmenter is created on first use, because loading
 * its tables would dominate the cold start of some functions.
 */
export function graphemesOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });

  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Returns the first `count` code points. Unlike `slice`, it never splits a surrogate pair, which
 * would make `encodeURIComponent` throw.
 */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('');
}

/** Truncates a text to `count` characters, including the ellipsis. */
export function clip(text: string, count: number): string {
  const isLonger = [...text].length > count;

  return isLonger ? `${firstCharacters(text, count - 1)}…` : text;
}

/**
 * Unicode's stream-safe format allows 30 marks:
 * https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * Returns the text in a Unicode normalization form. Drops combining marks beyond 30 on a character:
 * normalizing sorts them, in quadratic time.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replaceAll(excessMarks, '$1').normalize(form);
}

/** Truncates to a number of UTF-16 code units without splitting a surrogate pair. */
export function cutToLength(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '');
}

/** Replaces line breaks and control characters with spaces, for names and email subjects. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** Removes characters that storage or networks would not preserve: NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

/**
 * Removes the characters that change the direction of text, because they can make a text look like
 * a different one. Keeps joiners, which emoji and some scripts need.
 */
export function withoutBidiControls(text: string): string {
  return text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '');
}

/**
 * True if two texts differ only in whitespace or Unicode form, because networks may trim stored
 * texts.
 */
export function isSameText(one: string, other: string): boolean {
  return simplified(one) === simplified(other);
}

/**
 * True if one text contains the other, compared in the same way. An empty text is in every other
 * text.
 */
export function containsText(one: string, other: string): boolean {
  const [first, second] = [simplified(one), simplified(other)];

  return first.includes(second) || second.includes(first);
}

function simplified(text: string): string {
  return normalized(text, 'NFC').replace(/\s+/g, ' ').trim();
}
