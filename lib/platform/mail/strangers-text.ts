import { clip, oneLine } from '#lib/platform/characters.ts';

const maxNameLength = 60;

/**
 * Characters that are invisible or change the order of text. Joiners are kept: emoji and some
 * scripts need them.
 */
const hidden = /(?![\u200C\u200D])\p{Cf}/gu;
const controls = /(?!\n)\p{Cc}/gu;

/** Browsers interpret each of these as the dot of a host name. */
const dot = '[.\\u3002\\uFF0E\\uFF61]';
const letter = '[\\p{L}\\p{N}\\p{M}\\u200C\\u200D_-]';
/**
 * Each match begins at the start of a word or host, so that no search reads the same text again.
 */
const start = `(?<!${letter})(?<!${letter}${dot})`;
const host = `${start}(?:${letter}+${dot})+(?:\\p{L}|\\p{M}|xn--){2}[\\p{L}\\p{N}\\p{M}-]*`;

const addresses = [
  // A URL with a scheme, or an email address.
  /(?<!\S)\S*(?::\/\/|[^\s@＠][@＠])\S*/gu,
  /\b(?:www\.|https?:)\S*/giu,
  // A host with a port, path or query.
  new RegExp(`${host}(?::\\d+|[/?#])\\S*`, 'gu'),
];
const ipv4 = `\\d{1,3}(?:${dot}\\d{1,3}){3}`;
const bareHost = new RegExp(`${host}|${ipv4}`, 'gu');
const anyDot = new RegExp(dot, 'gu');

/**
 * Returns the text as a reader sees it: without hidden and control characters, and in logical
 * order.
 */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, '').replaceAll(controls, ' ');
}

/**
 * Returns a stranger's text for a mail from our domain, without addresses that the reader or the
 * mail program could open. The dots of a bare host, such as "example.com", become spaces.
 */
export function withoutAddresses(text: string, replacement = '[link]'): string {
  const plain = addresses.reduce(
    (rest, address) => rest.replaceAll(address, replacement),
    visibleText(text),
  );

  return plain.replaceAll(bareHost, (found) => found.replaceAll(anyDot, ' '));
}

/** Returns a name that is safe in a mail. Users and customers choose their names. */
export function mailName(name: string, fallback: string): string {
  return clip(oneLine(withoutAddresses(oneLine(name), ' ')), maxNameLength) || fallback;
}
