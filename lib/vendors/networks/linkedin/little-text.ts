import { maskAddresses } from '#lib/platform/web-hosts.ts';

const reserved = /[\\|{}@[\]()<>#*_~]/g;
/** A hashtag starts a word and contains a letter, unlike `C#` and `#1`. */
const hashtag = /(?<![\p{L}\p{N}_&/#])#(?=[\p{N}_]*\p{L})([\p{L}\p{N}_]+)/gu;

/**
 * Converts text to LinkedIn's `commentary` format. Escapes markup characters, because LinkedIn cuts
 * off a post at an unescaped bracket. Keeps hashtags, except within addresses.
 */
export function toLittleText(text: string): string {
  let result = '';
  let end = 0;
  for (const match of maskAddresses(text).matchAll(hashtag)) {
    result += escaped(text.slice(end, match.index));
    result += `{hashtag|\\#|${escaped(match[1] ?? '')}}`;
    end = match.index + match[0].length;
  }

  return result + escaped(text.slice(end));
}

/**
 * Converts a `commentary` back to plain text. Limits the length of hashtags and names, because an
 * unlimited search for their ends would take quadratic time.
 */
export function fromLittleText(commentary: string): string {
  return commentary
    .replace(/\{hashtag\|\\?#\|((?:\\.|[^}\\]){0,200})\}/gs, '#$1')
    .replace(/(?<!\\)@\[((?:\\.|[^\]\\]){0,200})\]\((?:\\.|[^)\\]){0,200}\)/gs, '$1')
    .replace(/\\(.)/gs, '$1');
}

function escaped(text: string): string {
  return text.replace(reserved, '\\$&');
}
