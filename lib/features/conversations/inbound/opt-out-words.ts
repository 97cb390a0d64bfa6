import { comparable, normalizeKeywordText } from '#lib/platform/keyword-text.ts';
import { defaultOptInWords, defaultOptOutWords } from '#schemas/consent-words.ts';

/**
 * Marks that people often omit: accents of Latin and Greek letters, stress marks and the dots of ё,
 * and the vowel points of Hebrew and Arabic. Other marks create a different letter: the breve of й,
 * and all marks of scripts such as Devanagari, Thai and Japanese.
 */
const optionalMarks =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*)\p{M}|(?<=\p{Script=Cyrillic}\p{M}*)[\u0300\u0301\u0308]/gu;

/** Normalizes a message or a word for comparison: like a keyword, without accents. */
export function normalizeConsentText(text: string): string {
  const withoutMarks = comparable(text).normalize('NFKD').replaceAll(optionalMarks, '');

  return normalizeKeywordText(withoutMarks);
}

/**
 * Longer messages can't be an opt-out word. Normalizing can lengthen a word, which has at most 50
 * units.
 */
const maxUnits = 200;

export type ConsentWords = {
  readonly optOutWords?: readonly string[] | undefined;
  readonly optInWords?: readonly string[] | undefined;
};

/** True if the message is short enough to be an opt-out or opt-in word. */
export function canBeConsentWord(text: string): boolean {
  return text.trim().length <= maxUnits;
}

/**
 * Returns whether the whole message opts out or in. START and UNSTOP always opt in. If the
 * organization uses another word for both, it opts out.
 */
export function consentAskedBy(
  text: string,
  { optOutWords = defaultOptOutWords, optInWords = [] }: ConsentWords,
): 'optOut' | 'optIn' | undefined {
  const said = normalizeConsentText(text);
  const isOneOf = (words: readonly string[]) =>
    words.some((word) => normalizeConsentText(word) === said);
  if (said === '') {
    return undefined;
  }
  if (isOneOf(defaultOptInWords)) {
    return 'optIn';
  }
  if (isOneOf(optOutWords)) {
    return 'optOut';
  }

  return isOneOf(optInWords) ? 'optIn' : undefined;
}
