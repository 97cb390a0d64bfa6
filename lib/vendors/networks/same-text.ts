/**
 * True if two texts differ only in whitespace or Unicode form: networks may trim what they store.
 */
export function isSameText(one: string, other: string): boolean {
  return normalize(one) === normalize(other);
}

function normalize(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
