import { comparable } from '#lib/platform/characters.ts';

const wordsPerContact = 20;
const maxWordLength = 40;

/** Case and Unicode form do not matter, neither do accents that a search leaves out. */
function fold(text: string): string {
  return comparable(text).normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** The words of a text as they are compared: letters and digits of any script. */
export function wordsOf(text: string): readonly string[] {
  return [...fold(text).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word.slice(0, maxWordLength));
}

type Searchable = {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | null | undefined;
  readonly company?: string | null | undefined;
};

/** The words under which a contact is found. */
export function searchWords({ name, email, phone, company }: Searchable): readonly string[] {
  const digits = (phone ?? '').replaceAll(/\D/g, '');
  const words = [name, company ?? '', email].flatMap(wordsOf);

  return [...new Set([...words, ...(digits ? [digits.slice(0, maxWordLength)] : [])])].slice(
    0,
    wordsPerContact,
  );
}
