import { comparable } from '#lib/platform/keyword-text.ts';
import { mostCommonPasswords } from './most-common-passwords.ts';

let known: ReadonlySet<string> | undefined;

/** Longer passwords are rejected only if they are on the list. */
const maxPatternLength = 16;

/** A field of a body, where null means absent. */
type Given = string | null | undefined;

/** Returns the part of a password that matters: spaces and invisible characters are ignored. */
function coreOf(text: Given): string {
  return comparable(
    (text ?? '').replaceAll(/[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/gu, ''),
  );
}

type Person = { readonly [Field in 'email' | 'firstName' | 'lastName']?: Given };

/**
 * Returns a problem for one of the 10,000 most common passwords, for blanks, for one or two
 * repeated characters, for a sequence such as "23456789", and for the person's address or name.
 */
export function passwordProblems(
  field: string,
  password: Given,
  person: Person = {},
): readonly string[] {
  if (typeof password !== 'string') {
    return [];
  }
  known ??= new Set(mostCommonPasswords.trim().split(/\s+/));
  const core = coreOf(password);
  const isWeak =
    core === '' || known.has(core) || isPattern(core) || personalCores(person).includes(core);

  return isWeak ? [`${field} is too common`] : [];
}

function isPattern(core: string): boolean {
  const codes = [...core].map((character) => character.codePointAt(0) ?? 0);
  if (codes.length > maxPatternLength) {
    return false;
  }
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const [first = 0] = steps;

  return (
    new Set(codes).size <= 2 || (Math.abs(first) === 1 && steps.every((step) => step === first))
  );
}

function personalCores({ email, firstName, lastName }: Person): readonly string[] {
  const [localPart] = email?.split('@') ?? [];
  const [first, last] = [coreOf(firstName), coreOf(lastName)];

  return [coreOf(email), coreOf(localPart), first, last, `${first}${last}`, `${last}${first}`];
}
