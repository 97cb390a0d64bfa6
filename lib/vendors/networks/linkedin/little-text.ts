const reserved = /[\\|{}@[\]()<>#*_~]/g;
/** A hashtag begins a word, and has a letter in it: `C#` and `#1` are none. */
const hashtag = /(?<![\p{L}\p{N}_&/#])#(?=[\p{N}_]*\p{L})([\p{L}\p{N}_]+)/gu;

/**
 * A text as LinkedIn takes it in `commentary`: what it would read as markup is escaped (a bracket
 * that is not ends the post there), and hashtags stay hashtags.
 */
export function toLittleText(text: string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(hashtag)) {
    result += escaped(text.slice(end, match.index));
    result += `{hashtag|\\#|${escaped(match[1] ?? '')}}`;
    end = match.index + match[0].length;
  }

  return result + escaped(text.slice(end));
}

/** What people see of a `commentary`. */
export function fromLittleText(commentary: string): string {
  return commentary
    .replace(/\{hashtag\|\\?#\|((?:\\.|[^}\\])*)\}/gs, '#$1')
    .replace(/(?<!\\)@\[((?:\\.|[^\]\\])*)\]\((?:\\.|[^)\\])*\)/gs, '$1')
    .replace(/\\(.)/gs, '$1');
}

function escaped(text: string): string {
  return text.replace(reserved, '\\$&');
}
