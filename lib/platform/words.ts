import { cutToLength } from './characters.ts';
import { comparable } from './keyword-text.ts';

const maxWordLength = 40;

/** Normalizes case, Unicode form and accents. */
function fold(text: string): string {
  return comparable(text).normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** Splits a text into normalized words: letters and digits of any script. */
export function wordsOf(text: string): readonly string[] {
  return [...fold(text).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) =>
    cutToLength(word, maxWordLength),
  );
}
