import { graphemesOf } from '#lib/platform/characters.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';
import { maxPrivateReplyLength } from '#schemas/private-reply.ts';
import { maxReplyLength, replyLength } from './text-length.ts';

const ellipsis = '…';

/**
 * Shortens a text to the network's limit, at a word boundary.
 *
 * @param ending is appended to the text and never cut. It must leave room for some text.
 */
export function cutText(platform: Platform, channel: Channel, text: string, ending = ''): string {
  const limit = maxReplyLength(platform, channel);

  return cutToFit(text, ending, (answer) => replyLength(platform, channel, answer) <= limit);
}

/** Shortens the text of a message with buttons to the limit that Meta's networks share. */
export function cutTemplateText(text: string, ending: string): string {
  return cutToFit(text, ending, ({ length }) => length <= maxPrivateReplyLength);
}

function cutToFit(text: string, ending: string, isShort: (answer: string) => boolean): string {
  const fits = (start: string) => isShort(`${start}${ending}`);
  const trimmed = text.trim();
  if (fits(trimmed)) {
    return `${trimmed}${ending}`;
  }
  const segments = graphemesOf(trimmed);
  const start = (count: number) => segments.slice(0, count).join('');
  const cut = start(largestThat((count) => fits(`${start(count)}${ellipsis}`), segments.length));
  const wordEnd = cut.search(/\s+\S*$/u);

  // A text without spaces is cut at any character.
  return `${(wordEnd > cut.length / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}${ellipsis}${ending}`;
}

/** Binary search: returns the largest number up to `limit` for which `holds` is true. */
function largestThat(holds: (number: number) => boolean, limit: number): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }

  return low;
}
