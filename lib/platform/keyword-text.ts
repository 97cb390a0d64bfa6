import { normalized } from './characters.ts';

/**
 * Invisible characters, such as a zero-width space, and the character that stretches Arabic
 * letters.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;
/**
 * Includes letters that are used as apostrophes, and the result of NFKC for a single acute accent.
 */
const apostrophes = /[\s\p{Cc}][\u0300\u0301\u0313\u0314]|[`‘’‚‛′‵ʹʻʼʽʾʿˈˊˋ՚׳Ꞌꞌߴߵ]/gu;
const quotationMarks = /[“”„‟״]/gu;
const dashes = /[\p{Pd}\u2212]/gu;

/**
 * Normalizes a text for comparison: Unicode form NFKC, without invisible characters, ignoring case
 * and the kind of apostrophes, quotation marks and dashes. Upper-casing maps letters that case
 * folding treats as equal (ß and ss, ı and i). Lower-casing comes first, because ẞ has its own
 * upper case. The combining dot that remains of İ is removed, so that Turkish capitals match their
 * lowercase letters.
 */
export function comparable(text: string): string {
  const drawn = normalized(text, 'NFKC')
    .replaceAll(invisible, '')
    .replaceAll(apostrophes, "'")
    .replaceAll(quotationMarks, '"')
    .replaceAll(dashes, '-');

  return normalized(drawn, 'NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replaceAll(/i\u0307+/gu, 'i')
    .normalize('NFKC');
}

/** Characters that form words. A combining mark belongs to the preceding character. */
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
/**
 * Scripts in which a word may begin at any position. Korean has spaces, but appends particles to
 * words.
 */
const spaceless =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Bopomofo}\p{Script_Extensions=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/**
 * The words for "and", "that", "in", "to", "from", "the" and others, which Hebrew and Arabic write
 * without a space before the word.
 */
const prefix = /^(?:ו?(?:ל?כש|מ?ש)?(?:[בכל]|מ?ה?)|[وف]?(?:[بك]?ال|لل?|[بك])?)$/u;
const prefixLetter = /[בהוכלמשابفكلو]/u;
const maxPrefixLength = 6;

/** Normalizes a message for keyword comparison. Also collapses and trims whitespace. */
export function normalizeMessageText(text: string): string {
  return comparable(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * Normalizes a keyword, or a message that is compared as a whole. Ignores punctuation and symbols
 * at the start and end, unless the text contains nothing else.
 */
export function normalizeKeywordText(text: string): string {
  const message = normalizeMessageText(text);
  const { start, end } = spanOf(wordCharacter, message) ??
    spanOf(/\p{S}/u, message) ?? { start: 0, end: undefined };

  return message.slice(start, end);
}

type Span = { readonly start: number; readonly end: number };

/** Returns the part of a text from the first to the last of these characters. */
function spanOf(characters: RegExp, text: string): Span | undefined {
  const start = text.search(characters);
  if (start === -1) {
    return undefined;
  }
  let end = text.length;
  while (!characters.test(characterBefore(text, end))) {
    end -= characterBefore(text, end).length;
  }

  return { start, end };
}

/** Returns where the words of a normalized message begin and end. */
export function wordSpan(text: string): Span {
  return spanOf(wordCharacter, text) ?? { start: text.length, end: 0 };
}

/** Returns the character that ends before `index`, including both halves of a surrogate pair. */
function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;

  return index <= 0 ? '' : text.slice(Math.max(0, index - (isLowSurrogate ? 2 : 1)), index);
}

function characterAt(text: string, index: number): string {
  const point = text.codePointAt(index);

  return point === undefined ? '' : String.fromCodePoint(point);
}

export function isWordEdge(text: string, index: number): boolean {
  const before = characterBefore(text, index);
  const after = characterAt(text, index);
  if (!wordCharacter.test(before) || !wordCharacter.test(after)) {
    return true;
  }
  // In every script, a combining mark belongs to the preceding character.
  return !/\p{M}/u.test(after) && (spaceless.test(before) || spaceless.test(after));
}

/**
 * Returns the start of the word with a keyword at `index`. Undefined if the keyword would start
 * inside a word. A Hebrew or Arabic word may have prefixes.
 */
export function wordStartOf(text: string, index: number): number | undefined {
  if (isWordEdge(text, index)) {
    return index;
  }
  const earliest = Math.max(0, index - maxPrefixLength);
  let start = index;
  while (start > earliest && prefixLetter.test(text.charAt(start - 1))) {
    start -= 1;
    if (isWordEdge(text, start)) {
      return prefix.test(text.slice(start, index)) ? start : undefined;
    }
  }

  return undefined;
}
