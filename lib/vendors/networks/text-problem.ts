import { maskAddresses } from '#lib/platform/web-hosts.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';
import { capabilities } from './capabilities.ts';
import { NetworkError } from './network-error.ts';
import { maxReplyLength, postLength, replyLength } from './text-length.ts';

/** `#one#two` is two hashtags. */
const hashtags =
  /(?<![\p{L}\p{M}\p{N}_&/])(?:[#＃][\p{L}\p{M}\p{N}_\p{Extended_Pictographic}]+)+/gu;
const mentions = /(?<![\p{L}\p{M}\p{N}_./@])@[a-z\d_.]+/giu;
/** A ticker symbol, such as $ACME. */
const cashtags = /(?<![^\s(])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?![\p{L}\p{N}_])/giu;

type Counted = 'hashtags' | 'mentions' | 'cashtags';

/** Ignores hashtags and mentions within addresses. */
const count: Readonly<Record<Counted, (text: string) => number>> = {
  hashtags: (text) => countOf(/[#＃]/gu, (maskAddresses(text).match(hashtags) ?? []).join('')),
  mentions: (text) => countOf(mentions, maskAddresses(text)),
  cashtags: (text) => countOf(cashtags, text),
};

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

type Place = 'post' | Channel;
type Limits = Readonly<Partial<Record<Counted, number | null>>>;

/** From Instagram's help center. The API documentation contains no limits for comments. */
const instagramComment: Limits = { hashtags: 30, mentions: 5 };
/** X allows one cashtag to self-serve plans. */
const xPost: Limits = { cashtags: 1 };

function limitsOf(platform: Platform, place: Place): Limits {
  if (place === 'DIRECT_MESSAGE') {
    return {};
  }
  if (platform === 'TWITTER') {
    return xPost;
  }
  const { maxHashtags: hashtags, maxMentions } = capabilities[platform];
  const ofComment = platform === 'INSTAGRAM' ? instagramComment : {};

  return place === 'post' ? { hashtags, mentions: maxMentions } : ofComment;
}

/**
 * Returns the reason why the network would reject a text, or would silently drop a part of it. The
 * problem is worded to follow the name of the field.
 */
export function textProblem(platform: Platform, place: Place, text: string): string | undefined {
  const [length, maxLength] =
    place === 'post'
      ? [postLength(platform, text), capabilities[platform].maxPostLength]
      : [replyLength(platform, place, text), maxReplyLength(platform, place)];
  if (length > maxLength) {
    return `must be shorter than or equal to ${maxLength} characters on ${platform}, which counts it as ${length}`;
  }
  const [problem] = Object.entries(limitsOf(platform, place)).flatMap(([name, limit]) => {
    const number = limit === null ? 0 : count[name as Counted](text);

    return limit !== null && number > limit
      ? [`must contain no more than ${limit} ${name} on ${platform}, and contains ${number}`]
      : [];
  });

  return problem;
}

/** @throws NetworkError `refused` for a text that the network would reject. */
export function requireText(platform: Platform, place: Place, text: string): void {
  const problem = textProblem(platform, place, text);
  if (problem !== undefined) {
    throw new NetworkError(platform, 'refused', { message: `The text ${problem}` });
  }
}
