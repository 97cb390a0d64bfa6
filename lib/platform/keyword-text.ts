import { comparable } from '#lib/platform/characters.ts';

/** Characters that form words. A combining mark belongs to the preceding character. */
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
/** Scripts written without spaces between words, where a word may begin at any position. */
const spaceless =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** They change how an emoji is drawn, but not which emoji it is. */
const variationSelectors = /[\uFE0E\uFE0F]/g;

/** Normalizes a text for keyword comparison. Also collapses and trims whitespace. */
export function normalizeKeywordText(text: string): string {
  return comparable(text.normalize('NFKC').replace(variationSelectors, ''))
    .replaceAll(/\s+/gu, ' ')
    .trim();
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
