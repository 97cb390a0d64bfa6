import { oneLine } from '#lib/platform/characters.ts';
import type { FaqPair, SourceContent } from './content.ts';

/** The maximum per organization. It limits the time and memory of a search. */
export const maxPassages = 5_000;
/** Long enough for a paragraph, and short enough that eight fit in a prompt. */
export const maxPassageLength = 1_200;

let sentences: Intl.Segmenter | undefined;
let words: Intl.Segmenter | undefined;

/**
 * Returns the passages of the content. A pair of an FAQ is one passage, and a short text is one,
 * too.
 */
export function passagesOf(content: SourceContent): readonly string[] {
  return 'faq' in content ? content.faq.map(textOfPair) : passagesOfText(content.text);
}

/** The question is the first line. */
function textOfPair({ question, answer }: FaqPair): string {
  return `${oneLine(question)}\n${answer}`;
}

/** Returns the question and the answer of an FAQ's passage. */
export function partsOfPair(passage: string): FaqPair {
  const end = passage.indexOf('\n');

  return { question: passage.slice(0, end), answer: passage.slice(end + 1) };
}

/**
 * Splits a text into passages of at most 1,200 characters, at the ends of sentences. Longer
 * sentences are split between words.
 */
export function passagesOfText(text: string): readonly string[] {
  const whole = tidied(text);
  if (whole.length <= maxPassageLength) {
    return whole === '' ? [] : [whole];
  }
  const passages: string[] = [];
  let current = '';
  const fits = (piece: string) => current.length + piece.trimEnd().length <= maxPassageLength;
  for (const line of whole.split(/(?<=\n)/u)) {
    // Most lines fit as a whole. Segmenting them would take much longer.
    for (const piece of fits(line) ? [line] : piecesOf(line)) {
      if (!fits(piece) && current.trim() !== '') {
        passages.push(current.trim());
        current = '';
      }
      current += piece;
    }
  }

  return [...passages, current.trim()].filter((passage) => passage !== '');
}

/** Blank lines and repeated spaces don't matter for a search. */
function tidied(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}

/**
 * Long lines are segmented in parts, because the time for a segment grows with the text before it.
 */
function* piecesOf(line: string): Generator<string, void, undefined> {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const part of partsOf(line, 20 * maxPassageLength)) {
    for (const { segment } of sentences.segment(part)) {
      yield* segment.length > maxPassageLength ? wordsOf(segment) : [segment];
    }
  }
}

function* wordsOf(sentence: string): Generator<string, void, undefined> {
  words ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment } of words.segment(sentence)) {
    yield* segment.length > maxPassageLength ? partsOf(segment, maxPassageLength) : [segment];
  }
}

/** Cuts a text at any character, but never inside a surrogate pair. */
function* partsOf(text: string, length: number): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    const end = at + length;
    const cut = end < text.length && /[\uD800-\uDBFF]$/.test(text.slice(at, end)) ? end - 1 : end;
    yield text.slice(at, cut);
    at = cut;
  }
}
