import { normalized } from '#lib/platform/characters.ts';

/**
 * True if two texts differ only in whitespace or Unicode form, because networks may trim stored
 * texts.
 */
export function isSameText(one: string, other: string): boolean {
  return normalize(one) === normalize(other);
}

/**
 * True if one text contains the other, compared in the same way. An empty text is in every other
 * text.
 */
export function containsText(one: string, other: string): boolean {
  const [first, second] = [normalize(one), normalize(other)];

  return first.includes(second) || second.includes(first);
}

function normalize(text: string): string {
  return normalized(text, 'NFC').replace(/\s+/g, ' ').trim();
}
