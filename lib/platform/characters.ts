let segmenter: Intl.Segmenter | undefined;

/**
 * The characters of a text as a reader sees them: a letter with its accents is one, and so is an
 * emoji of several code points. The tables for it are loaded with the first text, which takes longer
 * than all else that some functions do before their first request.
 */
export function graphemesOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });

  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * The first characters of a text. Cut between the two halves of one, as `slice` may do, it would end
 * in what is no text: encoding it for a URL throws.
 */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('');
}

/** At most so many characters of a text, the last of which says that there were more. */
export function clip(text: string, count: number): string {
  const isLonger = [...text].length > count;

  return isLonger ? `${firstCharacters(text, count - 1)}…` : text;
}

/**
 * A text as it is compared with another one: in one Unicode form (NFKC), without case. By way of upper
 * case, which makes one of what case folding holds for one (ß and ss); it has a capital ẞ of its own,
 * so that lower case comes before it, too. The same way makes one of ı and i; the dot that İ leaves
 * behind goes as well, so that Turkish capitals are the small letters' own.
 */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replaceAll(/i\u0307+/gu, 'i')
    .normalize('NFKC');
}

/** A text no longer than that in UTF-16 code units, as lengths are counted, with no half of a character. */
export function cutToLength(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '');
}

/** One line of what may be several: a name is a name and no paragraph, and a subject no header. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** Text from elsewhere without what no store and no network keeps intact. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}
