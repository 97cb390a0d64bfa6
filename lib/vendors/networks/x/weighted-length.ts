import tlds from 'tlds' with { type: 'json' };
import { graphemesOf, normalized } from '#lib/platform/characters.ts';
import { endOfBrackets } from '#lib/platform/web-hosts.ts';

/** X shortens every URL, so a URL counts as this many characters. */
const wrappedUrlLength = 23;
/**
 * Code points that X counts as one: Latin to Georgian, and punctuation. All others count as two.
 */
const lightRanges: ReadonlyArray<readonly [number, number]> = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
];
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\u{FE0F}|\p{Regional_Indicator}|\u{20E3}/u;

/** X links a domain only if its top-level domain exists. */
const topLevelDomains: ReadonlySet<string> = new Set(tlds);
const notWithin = String.raw`[\p{Script=Latin}\d@＠$#＃]`;
/** Without a scheme, only domains in Latin letters are links. */
const starts = [
  String.raw`(?<!${notWithin})https?:\/\/(?:[\p{L}\p{M}\p{N}_-]+\.)+`,
  String.raw`(?<!${notWithin}|[_./-])(?:[\p{Script=Latin}\d-]+\.)+`,
];
/** In a path, X accepts no other scripts. */
const path = String.raw`(?:[/?][\p{Script=Latin}\p{Script=Cyrillic}\d!*';:=+,.$/%#[\]_~@|&()?–-]*)?`;
const urls = starts.map(
  (start) => new RegExp(String.raw`${start}([\p{L}\p{M}\p{N}-]+)(?!@)((?::\d+)?${path})`, 'giu'),
);

/**
 * Returns the length of a post on X: https://docs.x.com/fundamentals/counting-characters.
 * Recognizes URLs like twitter-text. That library is too large for the functions.
 */
export function weightedLength(text: string): number {
  let count = 0;
  let rest = normalized(text, 'NFC');
  for (const url of urls) {
    rest = rest.replaceAll(url, (matched: string, ending: string, tail: string) => {
      const known = topLevelDomainOf(ending);
      if (known === undefined) {
        return matched;
      }
      count += 1;

      return known === ending
        ? ` ${tail.slice(endOfPath(tail))}`
        : ` ${ending.slice(known.length)}${tail}`;
    });
  }
  let length = count * (wrappedUrlLength - 1);
  for (const grapheme of graphemesOf(rest)) {
    length += emoji.test(grapheme) ? 2 : weightOf(grapheme);
  }

  return length;
}

/** In scripts without spaces, the text may continue directly after the domain. */
function topLevelDomainOf(ending: string): string | undefined {
  const [ascii = ''] = /^[a-z\d-]+/i.exec(ending) ?? [];

  return [ending, ascii].find(
    (one) => topLevelDomains.has(one.toLowerCase()) || /^xn--./i.test(one),
  );
}

/**
 * Returns the end of a path: before a closing bracket without an opening one, and before
 * punctuation.
 */
function endOfPath(path: string): number {
  let end = endOfBrackets(path);
  while (end > 0 && /[!*';:,.$%[\]~@|?–(]/u.test(path.charAt(end - 1))) {
    end -= 1;
  }

  return end;
}

function weightOf(grapheme: string): number {
  let weight = 0;
  for (const character of grapheme) {
    const point = character.codePointAt(0) ?? 0;
    weight += lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
  }

  return weight;
}
