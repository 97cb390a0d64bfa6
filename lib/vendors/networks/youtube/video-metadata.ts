import { graphemesOf } from '#lib/platform/characters.ts';
import type { PostSettings } from '#schemas/post-settings.ts';

/** The API's limit. */
const maxTitleLength = 100;

export type VideoMetadata = {
  readonly title: string;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly categoryId?: string;
};

/**
 * Uses the first line of the text as the title, unless the settings have one, and the whole text as the description. YouTube
 * rejects empty titles, and angle brackets in either.
 */
export function toVideoMetadata(
  text: string,
  { title, tags, categoryId }: PostSettings = {},
): VideoMetadata {
  const lines = withoutBrackets(text).split(/\r?\n/);
  const first = lines.map((line) => line.trim()).find((line) => line !== '') ?? 'Video';

  return {
    title: title ?? shorten(first),
    description: withoutBrackets(text),
    ...(tags ? { tags } : {}),
    ...(categoryId === undefined ? {} : { categoryId }),
  };
}

/** Replaces angle brackets with similar characters, because YouTube would reject the post. */
export function withoutBrackets(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** Cuts at a space if there is one in the second half. Never cuts a grapheme. */
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
