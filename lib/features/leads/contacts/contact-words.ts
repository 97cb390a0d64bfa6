import { domainToUnicode } from 'node:url';
import { wordsOf } from '#lib/platform/words.ts';

const wordsPerContact = 20;
const maxWordLength = 40;

type Searchable = {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | null | undefined;
  readonly company?: string | null | undefined;
};

/** Returns the words by which the contact is indexed. */
export function searchWords({ name, email, phone, company }: Searchable): readonly string[] {
  const digits = (phone ?? '').replaceAll(/\D/g, '');
  const international = domainToUnicode(email.slice(email.lastIndexOf('@') + 1));
  const words = [name, company ?? '', email, international].flatMap(wordsOf);

  return [...new Set([...words, ...(digits ? [digits.slice(0, maxWordLength)] : [])])].slice(
    0,
    wordsPerContact,
  );
}
