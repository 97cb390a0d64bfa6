import { clip, oneLine } from '#lib/platform/characters.ts';

const maxLength = 60;

/** Characters that are not shown or reorder text. Joiners stay: emoji and scripts need them. */
const hidden = /(?![\u200C\u200D])\p{Cf}/gu;

/** Browsers read all of these as the dot of a host name. */
const dot = '[.\\u3002\\uFF0E\\uFF61]';
const label = '[\\p{L}\\p{N}\\p{M}\\u200C\\u200D_-]+';
const host = `(?:${label}${dot})+(?:\\p{L}|\\p{M}|xn--){2}[\\p{L}\\p{N}\\p{M}-]*`;

const addresses = [
  // With a scheme, or with what only an email address has.
  /\S*(?::\/\/|[@＠])\S*/gu,
  /\b(?:www\.|https?:)\S*/giu,
  // A host with a port, path or query.
  new RegExp(`${host}(?::\\d+|[/?#])\\S*`, 'gu'),
];
const ipv4 = `\\d{1,3}(?:${dot}\\d{1,3}){3}`;
const bareHost = new RegExp(`${host}|${ipv4}`, 'gu');

/**
 * Returns a name as it may appear in an email subject. Names are chosen by users, and the mail comes
 * from our domain: it must not carry addresses that a stranger would follow. Web and email addresses
 * are removed; the dots of a bare host, such as "example.com", become spaces.
 */
export function subjectName(name: string, fallback: string): string {
  const visible = oneLine(name.replaceAll(hidden, ''));
  const plain = addresses.reduce((text, address) => text.replaceAll(address, ' '), visible);
  const spaced = plain.replaceAll(bareHost, (found) =>
    found.replaceAll(new RegExp(dot, 'gu'), ' '),
  );

  return clip(oneLine(spaced), maxLength) || fallback;
}
