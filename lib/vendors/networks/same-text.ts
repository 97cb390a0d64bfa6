import { normalized } from '#lib/platform/characters.ts';

/**
 * True if two texts differ only in whitespace or Unicode form: networks may trim what they store.
 */
export function isSameText(one: string, other: string): boolean {
  return normalize(one) === normalize(other);
}

/** True if one text contains the other, by the same comparison. An empty text is in every other. */
export function containsText(one: string, other: string): boolean {
  const [first, second] = [normalize(one), normalize(other)];

  return first.includes(second) || second.includes(first);
}

function normalize(text: string): string {
  return normalized(text, 'NFC').replace(/\s+/g, ' ').trim();
}
