import type { Channel, Platform } from '#schemas/platforms.ts';
import { capabilities } from './capabilities.ts';
import { weightedLength } from './x/weighted-length.ts';
import { withoutBrackets } from './youtube/video-metadata.ts';

type Measure = (text: string) => number;

/**
 * UTF-16 units: never fewer than characters, so this is safe for networks that count characters.
 */
const units: Measure = (text) => text.length;
const encoder = new TextEncoder();
const bytes: Measure = (text) => encoder.encode(text).length;

const postMeasures: Readonly<Record<Platform, Measure>> = {
  FACEBOOK: units,
  INSTAGRAM: units,
  TIKTOK: units,
  TWITTER: weightedLength,
  LINKEDIN: units,
  // Unverified: YouTube counts the bytes of a description. See docs/operations.md.
  YOUTUBE: (text) => bytes(withoutBrackets(text)),
};

const commentMeasures: Readonly<Record<Platform, Measure>> = { ...postMeasures, YOUTUBE: units };

/** Returns the length of a post as the network counts it. Compare it with `maxPostLength`. */
export function postLength(platform: Platform, text: string): number {
  return postMeasures[platform](text);
}

/**
 * Returns the length of a reply as the network counts it. Compare it with `maxReplyLength`. A reply
 * to a post is a comment.
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
