import { graphemesOf } from '#lib/platform/characters.ts';

/** The API's own limit. */
const maxTitleLength = 100;

export type VideoMetadata = { readonly title: string; readonly description: string };

/**
 * A post as YouTube takes it: the first line of the text is the title, all of it the description.
 * A title without a letter is refused there, and so are angle brackets, in either.
 */
export function toVideoMetadata(text: string): VideoMetadata {
  const lines = withoutBrackets(text).split(/\r?\n/);
  const first = lines.map((line) => line.trim()).find((line) => line !== '') ?? 'Video';

  return { title: shorten(first), description: withoutBrackets(text) };
}

/** Look-alikes, as the two that YouTube refuses would cost the whole post. */
function withoutBrackets(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** At a space where there is one in the second half, and never within a character. */
function shorten(line: string): string {
  if (line.length <= maxTitleLength) {
    return line;
  }
  let title = '';
  for (const grapheme of graphemesOf(line)) {
    if (title.length + grapheme.length > maxTitleLength - 1) {
      break;
    }
    title += grapheme;
  }
  const space = title.lastIndexOf(' ');

  return `${(space > maxTitleLength / 2 ? title.slice(0, space) : title).trimEnd()}…`;
}
