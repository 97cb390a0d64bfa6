import { comparable } from '#lib/platform/characters.ts';

const wordsPerContact = 20;
const maxWordLength = 40;

/** Normalizes case, Unicode form and accents. */
function fold(text: string): string {
  return comparable(text).normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** Splits a text into normalized words: letters and digits of any script. */
export function wordsOf(text: string): readonly string[] {
  return [...fold(text).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word.slice(0, maxWordLength));
}

type Searchable = {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | null | undefined;
  readonly company?: string | null | undefined;
};

/** Returns the words that the contact is indexed by. */
export function searchWords({ name, email, phone, company }: Searchable): readonly string[] {
  const digits = (phone ?? '').replaceAll(/\D/g, '');
  const words = [name, company ?? '', email].flatMap(wordsOf);

  return [...new Set([...words, ...(digits ? [digits.slice(0, maxWordLength)] : [])])].slice(
    0,
    wordsPerContact,
  );
}
