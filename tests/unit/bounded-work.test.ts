import { describe, expect, it } from 'vitest';
import { fillIn } from '#lib/features/ai/placeholders.ts';
import { createKeywordMatcher } from '#lib/features/campaigns/keyword-matcher.ts';
import { renderCalendar } from '#lib/features/content/calendar/render-calendar.ts';
import { newPost } from '#lib/features/content/new-post.ts';
import { taggedText } from '#lib/features/content/posts/tagged-text.ts';
import {
  canBeConsentWord,
  consentAskedBy,
} from '#lib/features/conversations/inbound/opt-out-words.ts';
import { readSubmission } from '#lib/features/forms/read-submission.ts';
import { passagesOfText } from '#lib/features/knowledge/passages.ts';
import { textOfHtml } from '#lib/features/knowledge/reading/html-text.ts';
import { readDocument } from '#lib/features/knowledge/reading/read-document.ts';
import { prepareRows } from '#lib/features/leads/import/prepare-rows.ts';
import { inspectMedia } from '#lib/features/media/processing/inspect-media.ts';
import { isUnsafeAnswer } from '#lib/features/replies/unsafe-answer.ts';
import { clip, graphemesOf, isSameText, oneLine } from '#lib/platform/characters.ts';
import { comparable } from '#lib/platform/keyword-text.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { withoutAddresses } from '#lib/platform/mail/strangers-text.ts';
import { plainText } from '#lib/platform/plain-text.ts';
import { linkedHosts, namedHosts } from '#lib/platform/web-hosts.ts';
import { wordsOf } from '#lib/platform/words.ts';
import { cutText } from '#lib/vendors/networks/cut-text.ts';
import { parseEvents as parseFacebook } from '#lib/vendors/networks/facebook/events.ts';
import { fromLittleText, toLittleText } from '#lib/vendors/networks/linkedin/little-text.ts';
import { postLength } from '#lib/vendors/networks/text-length.ts';
import { parseEvents as parseTiktok } from '#lib/vendors/networks/tiktok/events.ts';
import { parseEvents as parseYoutube } from '#lib/vendors/networks/youtube/events.ts';
import { isSignedByProvider } from '#lib/vendors/stripe/event-signature.ts';
import { logIn } from '#schemas/auth.ts';
import { maxDocumentBytes } from '#schemas/knowledge.ts';
import { createLead } from '#schemas/leads.ts';
import { maxImageBytes } from '#schemas/media-limits.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { growthOf } from '#tests/support/cpu-growth.ts';
import { runsAll } from '#tests/support/depth.ts';
import {
  box,
  exifSegment,
  gif,
  gifExtension,
  mp4,
  png,
  pngChunk,
  pngXmp,
  webp,
  xmpSegment,
} from '#tests/support/media-files.ts';

// Tenants and strangers choose the inputs of these parsers. So no input of the allowed size may
// take much longer than others.

/** The maximum size that one of them can send. */
const maxMessage = 20_000;
const maxContent = 63_206;
const maxBody = 1_000_000;
const maxMetadata = 64_000_000;

/** Quadratic work has a growth of 8. */
const maxGrowth = 4;

/** Repeats a unit up to a size. */
function filled(size: number, unit: string): string {
  return unit.repeat(Math.ceil(size / unit.length));
}

/** Repeats a part of a file up to a size. */
function filledFile(size: number, part: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(size / part.length) }, () => part));
}

/** Texts for which simple parsers and regular expressions take quadratic time. */
const texts = {
  spaces: (size: number) => `x${filled(size, ' ')}y`,
  lines: (size: number) => filled(size, 'a\r\n'),
  letters: (size: number) => filled(size, 'a'),
  words: (size: number) => filled(size, 'ab '),
  dots: (size: number) => `x${filled(size, '.')}y`,
  domains: (size: number) => filled(size, 'a.'),
  labels: (size: number) => filled(size, 'a-'),
  mails: (size: number) => filled(size, 'a@b.'),
  schemes: (size: number) => filled(size, 'http://a@'),
  brackets: (size: number) => `https://example.com/${filled(size, ')')}`,
  parentheses: (size: number) =>
    `https://example.com/${filled(size / 2, '(')}${filled(size / 2, ')')}`,
  hashtags: (size: number) => filled(size, '#1'),
  mentions: (size: number) => filled(size, '@['),
  markedHashtags: (size: number) => filled(size, '{hashtag|#|'),
  placeholders: (size: number) => filled(size, '{{ a'),
  quotes: (size: number) => filled(size, '"'),
  tags: (size: number) => filled(size, '<a b="'),
  nestedTags: (size: number) => filled(size / 2, '<b>') + filled(size / 2, '</i>'),
  hiddenTags: (size: number) => filled(size, '<svg><svg/>'),
  script: (size: number) => `<script>${filled(size, '</scrip')}`,
  entities: (size: number) => filled(size, '&amp&#x26'),
  emphasis: (size: number) => filled(size, '*a_'),
  openEmphasis: (size: number) => filled(size, '**a'),
  links: (size: number) => filled(size, '[a]('),
  openLinks: (size: number) => filled(size, '['),
  images: (size: number) => filled(size, '![a](b "'),
  ticks: (size: number) => filled(size, '`a``'),
  openTicks: (size: number) => filled(size, '`'),
  citations: (size: number) => filled(size, '> '),
  citedLists: (size: number) => filled(size, '> - '),
  bars: (size: number) => filled(size, '|a'),
  tables: (size: number) => filled(size, '| a |\n|-|\n'),
  accents: (size: number) => `a${filled(size / 2, '\u0301')}${filled(size / 2, '\u0316')}`,
  hiddenJoins: (size: number) => `a${filled(size, `${'\u0301\u0316'.repeat(15)}\u200d`)}`,
  thai: (size: number) => filled(size, 'ก'),
  hebrew: (size: number) => filled(size, 'ו'),
  han: (size: number) => filled(size, '中'),
  ligatures: (size: number) => filled(size, '\ufdfa'),
  emoji: (size: number) => filled(size, '👩\u200d'),
  surrogates: (size: number) => filled(size, '\ud800'),
  fields: (size: number) => filled(size, 'a=1&'),
  cells: (size: number) => filled(size, 'a,'),
  arrays: (size: number) => `${filled(size / 2, '[')}${filled(size / 2, ']')}`,
  objects: (size: number) => `[${filled(size, '{"a":1},')}{}]`,
} as const;
type TextName = keyof typeof texts;
const textNames = Object.keys(texts) as TextName[];

const matcher = createKeywordMatcher(
  ['a'.repeat(50), '中'.repeat(50)].map((keyword, index) => ({
    keyword,
    matchType: 'CONTAINS',
    priority: 1,
    campaignId: String(index),
  })),
);

const post = newPost('organization', 'user', {
  socialAccountId: 'account',
  platform: 'FACEBOOK',
  content: '',
});

/** Many of these inputs are rejected. Only the time until then counts. */
function unlessRejected<Input>(work: (input: Input) => unknown) {
  return async (input: Input) => {
    try {
      await work(input);
    } catch {
      // As expected.
    }
  };
}

type TextWork = {
  readonly work: (text: string) => unknown;
  readonly maxSize: number;
  /** Texts for which it was slow, or could be. Full runs use all texts. */
  readonly worst: readonly TextName[];
};

const textWorks: Readonly<Record<string, TextWork>> = {
  'comparing names': {
    work: comparable,
    maxSize: maxContent,
    worst: ['accents', 'hiddenJoins', 'ligatures'],
  },
  'counting characters': { work: graphemesOf, maxSize: maxContent, worst: ['emoji'] },
  'names in one line': { work: oneLine, maxSize: maxContent, worst: ['spaces'] },
  'cut names': { work: (text) => clip(text, 100), maxSize: maxContent, worst: ['letters'] },
  keywords: { work: matcher.match, maxSize: maxMessage, worst: ['han', 'accents', 'hebrew'] },
  'opt-out words': {
    work: (text) => canBeConsentWord(text) && consentAskedBy(text, {}),
    maxSize: maxMessage,
    worst: ['accents', 'dots'],
  },
  'links of customers': { work: linkedHosts, maxSize: maxMessage, worst: ['schemes', 'domains'] },
  'named hosts': { work: namedHosts, maxSize: maxMessage, worst: ['labels', 'domains'] },
  'unsafe answers': {
    work: (text) => isUnsafeAnswer(text, text),
    maxSize: maxMessage,
    worst: ['words'],
  },
  'tagged addresses': {
    work: (text) => taggedText(text, { utmSource: 'a' }),
    maxSize: maxContent,
    worst: ['brackets', 'parentheses'],
  },
  'the length of posts': {
    work: (text) => postLength('TWITTER', text),
    maxSize: maxContent,
    worst: ['domains', 'labels', 'schemes', 'brackets', 'parentheses', 'accents'],
  },
  'cut replies': {
    work: (text) => cutText('FACEBOOK', 'COMMENT', text),
    maxSize: maxMessage,
    worst: ['spaces'],
  },
  'posts for LinkedIn': {
    work: toLittleText,
    maxSize: maxContent,
    worst: ['hashtags', 'brackets', 'parentheses'],
  },
  'posts of LinkedIn': {
    work: fromLittleText,
    maxSize: maxContent,
    worst: ['mentions', 'markedHashtags'],
  },
  'texts at the networks': {
    work: (text) => isSameText(text, text),
    maxSize: maxContent,
    worst: ['accents', 'spaces'],
  },
  searches: { work: wordsOf, maxSize: maxMessage, worst: ['letters', 'accents'] },
  'answers in Markdown': {
    work: plainText,
    maxSize: maxMessage,
    worst: [
      'emphasis',
      'openEmphasis',
      'links',
      'openLinks',
      'images',
      'ticks',
      'openTicks',
      'citations',
      'citedLists',
      'bars',
      'tables',
      'tags',
    ],
  },
  'texts of strangers in mails': {
    work: (text) => withoutAddresses(text),
    maxSize: maxMessage,
    worst: ['han', 'letters', 'domains', 'mails'],
  },
  templates: { work: (text) => fillIn(text, {}), maxSize: maxMessage, worst: ['placeholders'] },
  'logged failures': {
    work: (text) => describeFailure(new Error(text)),
    maxSize: maxBody,
    worst: ['mails', 'letters'],
  },
  passages: { work: passagesOfText, maxSize: maxDocumentBytes / 2, worst: ['lines', 'letters'] },
  HTML: {
    work: textOfHtml,
    maxSize: maxDocumentBytes,
    worst: ['nestedTags', 'hiddenTags', 'script', 'entities', 'tags'],
  },
  documents: {
    work: unlessRejected((text: string) => readDocument(Buffer.from(text), 'text/plain')),
    maxSize: maxDocumentBytes,
    worst: ['emoji'],
  },
  CSV: {
    work: unlessRejected((text: string) => prepareRows(`name,email\n${text}`, [])),
    maxSize: maxBody,
    worst: ['quotes', 'cells', 'lines'],
  },
  forms: {
    work: unlessRejected((body: string) =>
      readSubmission({ body, isBase64Encoded: false, headers: {} }),
    ),
    maxSize: maxBody,
    worst: ['fields'],
  },
  bodies: {
    work: (text) =>
      createLead.body.safeParse({
        contact: { name: text, email: text, phone: text, company: text },
        tags: [text],
        notes: text,
      }),
    maxSize: maxBody,
    worst: ['accents', 'mails', 'spaces'],
  },
  passwords: {
    work: (text) => logIn.body.safeParse({ email: text, password: text }),
    maxSize: maxBody,
    worst: ['accents'],
  },
  'nested JSON': {
    work: unlessRejected((text: string) =>
      createLead.body.safeParse({ customFields: JSON.parse(text) }),
    ),
    maxSize: maxBody,
    worst: ['arrays', 'objects'],
  },
  'calendar feeds': {
    work: (content) => renderCalendar([{ ...post, content, state: 'SCHEDULED' }], 'UTC'),
    maxSize: maxContent,
    worst: ['spaces', 'accents'],
  },
  'signatures of payments': {
    work: (header) => isSignedByProvider(header, Buffer.alloc(0), ['secret']),
    maxSize: maxBody,
    worst: ['cells'],
  },
  'events of Facebook': {
    work: unlessRejected((text: string) =>
      parseFacebook(
        Buffer.from(`{"object":"page","entry":[{"id":"1","time":1,"messaging":${text}}]}`),
      ),
    ),
    maxSize: maxBody,
    worst: ['objects', 'arrays'],
  },
  'events of TikTok': {
    work: unlessRejected((text: string) => parseTiktok(Buffer.from(text))),
    maxSize: maxBody,
    worst: ['objects', 'arrays'],
  },
  'events of YouTube': {
    work: (text) => parseYoutube(Buffer.from(`<feed><entry>${text}</entry></feed>`)),
    maxSize: maxBody,
    worst: ['tags', 'entities'],
  },
};

describe.each(Object.entries(textWorks))('the CPU time for %s', (_, { work, maxSize, worst }) => {
  it.each(runsAll ? textNames : worst)('grows only with the size: %s', async (name) => {
    expect(await growthOf(texts[name], work, maxSize)).toBeLessThan(maxGrowth);
  });
});

/** A directory with many entries, all of which point to the same bytes. */
function exifWith(size: number, [tag, type]: readonly [tag: number, type: number]): Buffer {
  const count = Math.min(60_000, Math.ceil(size / 24));
  const tiff = Buffer.alloc(size + 10 + count * 12, ' gps="" ');
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(count, 8);
  for (let index = 0; index < count; index += 1) {
    const at = 10 + index * 12;
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(Math.floor(size / 2), at + 4);
    tiff.writeUInt32LE(10 + count * 12, at + 8);
  }

  return tiff;
}

const tags = { xmp: [0x02bc, 1], gps: [0x8825, 4], directories: [0x014a, 4] } as const;

function jpegOf(size: number, content: Buffer): Buffer {
  const count = Math.ceil(size / (content.length + 4));

  return jpeg({ app1: Array.from({ length: count }, () => content) });
}

const images: Readonly<Record<string, (size: number) => Buffer>> = {
  'XMP entries of EXIF': (size) => png([pngChunk('eXIf', exifWith(size, tags.xmp))]),
  'GPS directories of EXIF': (size) => png([pngChunk('eXIf', exifWith(size, tags.gps))]),
  'directories of EXIF': (size) => png([pngChunk('eXIf', exifWith(size, tags.directories))]),
  'EXIF of WebP': (size) => webp([['EXIF', exifWith(size, tags.xmp)]]),
  'EXIF segments': (size) => jpegOf(size, exifSegment(exifWith(20_000, tags.xmp))),
  'XMP segments': (size) => jpegOf(size, xmpSegment(` gps="${filled(60_000, "'")}`)),
  'small segments': (size) => jpegOf(size, Buffer.alloc(2)),
  'fill bytes': (size) =>
    Buffer.concat([jpeg().subarray(0, 2), Buffer.alloc(size, 0xff), jpeg().subarray(2)]),
  'restart markers': (size) =>
    Buffer.concat([jpeg().subarray(0, -2), Buffer.alloc(size, Buffer.from([0xff, 0xd0]))]),
  'XMP of one name': (size) => png([pngXmp(` ${'gps'.repeat(499)}${filled(size, 'a')}`)]),
  'XMP of open elements': (size) => png([pngXmp(filled(size, '<gps>'))]),
  'XMP of end tags': (size) => png([pngXmp(`<gps>${filled(size, '</gps')}`)]),
  'XMP of attributes': (size) => png([pngXmp(`<a${filled(size, ` gps="'`)}>`)]),
  'compressed XMP': (size) => png([filledFile(size, pngXmp(filled(1_000_000, ' '), true))]),
  'small chunks': (size) => png([filledFile(size, pngChunk('prVt', Buffer.alloc(0)))]),
  'blocks of a GIF': (size) => gif(filledFile(size, gifExtension(0xfe, Buffer.alloc(1)))),
};

const movies: Readonly<Record<string, (size: number) => Buffer>> = {
  positions: (size) => mp4({ metadata: [box('udta', filledFile(size, box('loci')))] }),
  'XMP boxes': (size) =>
    mp4({ metadata: [box('udta', filledFile(size, box('XMP_', Buffer.alloc(60, '<gps>'))))] }),
  keys: (size) =>
    mp4({
      metadata: [
        box('meta', Buffer.alloc(4), box('keys', Buffer.alloc(8), filledFile(size, box('mdta')))),
      ],
    }),
  'boxes behind the index': (size) => mp4({ afterwards: [filledFile(size, box('free'))] }),
};

describe('the CPU time for media', () => {
  const inspect = unlessRejected((file: Buffer) =>
    inspectMedia({
      bytes: file.length,
      read: async (start, end) => Buffer.from(file.subarray(start, end)),
    }),
  );

  it.each(Object.entries(images))('grows only with the size: %s', async (_, image) => {
    expect(await growthOf(image, inspect, maxImageBytes)).toBeLessThan(maxGrowth);
  });

  it.each(Object.entries(movies))('grows only with the size: %s', async (_, movie) => {
    expect(await growthOf(movie, inspect, maxMetadata)).toBeLessThan(maxGrowth);
  });
});
