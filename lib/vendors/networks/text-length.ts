import { graphemesOf } from '#lib/platform/characters.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';
import { capabilities } from './capabilities.ts';

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
const url = /https?:\/\/[^\s<>"']+/giu;
/** X links bare domains too. Top-level domains missing from this list count as text. */
const bareDomain =
  /(?<![@\p{L}\p{N}._/-])(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|biz|io|co|app|dev|ai|me|shop|store|online|site|uk|de|fr|es|it|nl|eu|ca|au|jp|br|in|us)(?![\p{L}\p{N}_-])(?:\/[^\s<>"']*)?/giu;
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\u{FE0F}|\p{Regional_Indicator}|\u{20E3}/u;

type Measure = (text: string) => number;

/**
 * UTF-16 units: never fewer than characters, so this is safe for networks that count characters.
 */
const units: Measure = (text) => text.length;
const bytes: Measure = (text) => Buffer.byteLength(text);

const postMeasures: Readonly<Record<Platform, Measure>> = {
  FACEBOOK: units,
  INSTAGRAM: units,
  TIKTOK: units,
  TWITTER: weightedLength,
  LINKEDIN: units,
  // Unverified: YouTube counts the bytes of a description. See docs/operations.md.
  YOUTUBE: bytes,
};

const commentMeasures: Readonly<Record<Platform, Measure>> = { ...postMeasures, YOUTUBE: units };

/** Returns the length of a post as the network counts it. Compare it with `maxPostLength`. */
export function postLength(platform: Platform, text: string): number {
  return postMeasures[platform](text);
}

/**
 * Returns the length of a reply as the network counts it. Compare it with `maxReplyLength`. The
 * reply to a post is a comment.
 */
export function replyLength(platform: Platform, channel: Channel, text: string): number {
  return channel === 'DIRECT_MESSAGE'
    ? messageMeasureOf(platform)(text)
    : commentMeasures[platform](text);
}

function messageMeasureOf(platform: Platform): Measure {
  // "Message text must be UTF-8 and be a 1000 bytes or less" (Instagram Messaging, Send a Message).
  return platform === 'INSTAGRAM' ? bytes : units;
}

/** Returns the maximum length of a reply, or 0 if the network has no messages. */
export function maxReplyLength(platform: Platform, channel: Channel): number {
  const { maxCommentLength, maxMessageLength } = capabilities[platform];

  return channel === 'DIRECT_MESSAGE' ? (maxMessageLength ?? 0) : maxCommentLength;
}

function weightedLength(text: string): number {
  let urls = 0;
  const countUrl = (): string => {
    urls += 1;

    return ' ';
  };
  const rest = text.normalize('NFC').replaceAll(url, countUrl).replaceAll(bareDomain, countUrl);
  let length = urls * (wrappedUrlLength - 1);
  for (const grapheme of graphemesOf(rest)) {
    length += emoji.test(grapheme) ? 2 : weightOf(grapheme);
  }

  return length;
}

function weightOf(grapheme: string): number {
  let weight = 0;
  for (const character of grapheme) {
    const point = character.codePointAt(0) ?? 0;
    weight += lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
  }

  return weight;
}
