import { graphemesOf } from '#lib/platform/characters.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';
import { capabilities } from './capabilities.ts';

/** Every address in a post on X is wrapped, and counts as this, however long it is. */
const wrappedUrlLength = 23;
/** Code points that count as one on X: Latin to Georgian, and punctuation. All others are two. */
const lightRanges: ReadonlyArray<readonly [number, number]> = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
];
const url = /https?:\/\/[^\s<>"']+/giu;
/** X links a bare domain too. Its list of endings is longer: what is missing here counts as text. */
const bareDomain =
  /(?<![@\p{L}\p{N}._/-])(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|biz|io|co|app|dev|ai|me|shop|store|online|site|uk|de|fr|es|it|nl|eu|ca|au|jp|br|in|us)(?![\p{L}\p{N}_-])(?:\/[^\s<>"']*)?/giu;
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\u{FE0F}|\p{Regional_Indicator}|\u{20E3}/u;

type Measure = (text: string) => number;

/** Never fewer than characters: a text that fits this way fits where a network counts those. */
const units: Measure = (text) => text.length;
const bytes: Measure = (text) => Buffer.byteLength(text);

const postMeasures: Readonly<Record<Platform, Measure>> = {
  FACEBOOK: units,
  INSTAGRAM: units,
  TIKTOK: units,
  TWITTER: weightedLength,
  LINKEDIN: units,
  // That it counts the bytes of a description is from memory: to be checked before going live.
  YOUTUBE: bytes,
};

const commentMeasures: Readonly<Record<Platform, Measure>> = { ...postMeasures, YOUTUBE: units };

/** The length of a post as the network counts it, to hold against `maxPostLength`. */
export function postLength(platform: Platform, text: string): number {
  return postMeasures[platform](text);
}

/**
 * The length of an answer as the network counts it, to hold against `maxReplyLength`. A post is
 * answered by a comment.
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

/** The longest answer there; 0 where the network has no messages. */
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
