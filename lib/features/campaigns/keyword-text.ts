import { comparable } from '#lib/platform/characters.ts';

/** Characters of which words are made; marks belong to the letter before them. */
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
/** Scripts that are written without spaces between words: there any position may begin a word. */
const spaceless =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Tell how an emoji is drawn, and not which one it is. */
const variationSelectors = /[\uFE0E\uFE0F]/g;

/** A text as keywords are compared: runs of white space are one space, and the ends are trimmed. */
export function normalizeKeywordText(text: string): string {
  return comparable(text.normalize('NFKC').replace(variationSelectors, ''))
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** The character that ends before `index`, whole even where it takes two code units. */
function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;

  return index <= 0 ? '' : text.slice(Math.max(0, index - (isLowSurrogate ? 2 : 1)), index);
}

function characterAt(text: string, index: number): string {
  const point = text.codePointAt(index);

  return point === undefined ? '' : String.fromCodePoint(point);
}

/** Whether a word may begin or end at `index` of a normalized text. */
export function isWordEdge(text: string, index: number): boolean {
  const before = characterBefore(text, index);
  const after = characterAt(text, index);
  if (!wordCharacter.test(before) || !wordCharacter.test(after)) {
    return true;
  }
  // A mark is part of what stands before it, in every script.
  return !/\p{M}/u.test(after) && (spaceless.test(before) || spaceless.test(after));
}
