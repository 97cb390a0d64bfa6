import { parse, postprocess, preprocess } from 'micromark';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';

type MarkdownEvent = ReturnType<typeof postprocess>[number];
type Token = MarkdownEvent[1];
type Range = { readonly start: number; readonly end: number };
type Edit = Range & { readonly text: string };

/** Parsing time can grow with the square of the text's length. Longer texts are parsed in parts. */
const maxPartLength = 4_000;

const extensions = [
  gfmTable(),
  gfmStrikethrough({ singleTilde: false }),
  gfmAutolinkLiteral(),
  // Plain text may contain these constructs by accident.
  { disable: { null: ['htmlFlow', 'codeIndented', 'characterReference'] } },
];

/**
 * Removes Markdown markup. Links become `Label: https://…`, and lists keep their dashes. All other
 * characters are kept: most texts have no markup, and some only look like it.
 */
export function plainText(markdown: string): string {
  return partsOf(markdown).map(withoutMarks).join('');
}

/** Splits a long text at its line breaks, or at any character if a line is very long. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > maxPartLength) {
    const lineEnd = text.lastIndexOf('\n', start + maxPartLength - 1) + 1;
    const end = lineEnd > start ? lineEnd : start + maxPartLength;
    parts.push(text.slice(start, end));
    start = end;
  }

  return [...parts, text.slice(start)];
}

function withoutMarks(source: string): string {
  const events = postprocess(
    parse({ extensions })
      .document()
      .write(preprocess()(source, undefined, true)),
  );
  const edits = [
    ...events.flatMap(([kind, token]) => (kind === 'enter' ? editsOf(source, token) : [])),
    ...linkEdits(source, events),
    ...looseEdits(source, events),
    ...rowEdits(source, events),
  ];
  const text = edits.length === 0 ? source : tidied(applied(source, edits));

  // Nothing but marks.
  return text.trim() === '' ? source : text;
}

/** If edits overlap, the one that begins first, or is longer, applies to the common part. */
function applied(source: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let text = '';
  let done = 0;
  for (const { start, end, text: replacement } of inOrder) {
    if (start >= done || (replacement === '' && end > done)) {
      text += source.slice(done, start) + replacement;
      done = end;
    }
  }

  return text + source.slice(done);
}

/** Removes leftovers of the markup: spaces at the ends of lines, and runs of empty lines. */
function tidied(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());

  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

function rangeOf({ start, end }: Token): Range {
  return { start: start.offset, end: end.offset };
}

function removal({ start, end }: Range): Edit {
  return { start, end, text: '' };
}

/** Returns the edits of a token that are independent of other tokens. */
function editsOf(source: string, token: Token): readonly Edit[] {
  const range = rangeOf(token);
  const { start, end } = range;
  switch (token.type) {
    case 'emphasis':
      return pairEdits(source, range, 1);
    case 'strong':
    case 'strikethrough':
      return pairEdits(source, range, 2);
    case 'codeText':
      return pairEdits(source, range, runAt(source, start));
    case 'atxHeadingSequence':
      return [removal(withSpaces(source, range))];
    case 'blockQuotePrefix':
      // Keeps a sign before a number, such as in "> 18 years".
      return isDigit(source[end]) ? [] : [removal(range)];
    case 'listItemMarker':
      return isBullet(source, range) ? [{ ...range, text: '-' }] : [];
    case 'thematicBreak':
    case 'codeFencedFence':
    case 'tableDelimiterRow':
      return [removal(lineOf(source, range))];
    case 'setextHeadingLine':
      return end - start < minUnderline ? [] : [removal(lineOf(source, range))];
    case 'escapeMarker':
      // ¯\_(ツ)_/¯
      return source.startsWith('_(', end) ? [] : [removal(range)];
    case 'autolinkMarker':
    case 'hardBreakEscape':
      return [removal(range)];
    case 'htmlText':
      return /^<br\s*\/?>$/i.test(source.slice(start, end)) ? [{ ...range, text: '\n' }] : [];
    default:
      return [];
  }
}

const minUnderline = 3;

function isDigit(character = ''): boolean {
  return /^\d$/.test(character);
}

/** Before a number, `+` is a sign and not a bullet. */
function isBullet(source: string, { start, end }: Range): boolean {
  const marker = source[start];

  return marker === '*' || (marker === '+' && !isDigit(source[end + 1]));
}

/** Letters and digits of scripts whose words are separated by spaces. */
const wordCharacter =
  /[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]]/v;

function isWordCharacter(character = ''): boolean {
  return wordCharacter.test(character);
}

/**
 * Removes markup around words. Inside words it has another meaning, as in `2*3*4` or `Kund*innen`.
 * The same is true around symbols, as in `(*^_^*)`.
 */
function pairEdits(source: string, { start, end }: Range, width: number): readonly Edit[] {
  const touching = [source[start - 1], source[end]].filter(isWordCharacter).length;
  const isWithinWord = width === 1 ? touching > 0 : touching === 2;
  if (isWithinWord || !/[\p{L}\p{N}]/u.test(source.slice(start, end))) {
    return [];
  }

  return [removal({ start, end: start + width }), removal({ start: end - width, end })];
}

/** Returns the number of times that the character at a position is repeated. */
function runAt(source: string, start: number): number {
  let end = start + 1;
  while (source[end] === source[start]) {
    end += 1;
  }

  return end - start;
}

/**
 * Removes pairs of `**` that are not valid Markdown because of the punctuation inside, as in
 * `**Price:**5 €`. AI models write them, most often in languages without spaces.
 */
function looseEdits(source: string, events: readonly MarkdownEvent[]): readonly Edit[] {
  const edits: Edit[] = [];
  let open: number | undefined;
  for (const [kind, token] of events) {
    const { start, end } = rangeOf(token);
    const isMark = kind === 'enter' && token.type === 'data' && source.slice(start, end) === '**';
    if (kind === 'exit' && containers.has(token.type)) {
      open = undefined;
    } else if (isMark && open !== undefined && /[^\s([{]/.test(source[start - 1] ?? ' ')) {
      edits.push(...pairEdits(source, { start: open, end }, 2));
      open = undefined;
    } else if (isMark) {
      open = /\S/.test(source[end] ?? ' ') ? start : undefined;
    }
  }

  return edits;
}

/** Opening and closing marks must be in the same container. */
const containers: ReadonlySet<string> = new Set(['paragraph', 'atxHeadingText', 'tableContent']);

/** Returns the range including the spaces around it. */
function withSpaces(source: string, { start, end }: Range): Range {
  let [from, to] = [start, end];
  while (isSpace(source[from - 1])) {
    from -= 1;
  }
  while (isSpace(source[to])) {
    to += 1;
  }

  return { start: from, end: to };
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Returns the whole line of a range, including its line break. */
function lineOf(source: string, { start, end }: Range): Range {
  const lineEnd = source.indexOf('\n', end);

  return {
    start: source.lastIndexOf('\n', start - 1) + 1,
    end: lineEnd < 0 ? source.length : lineEnd + 1,
  };
}

type Link = Range & {
  label: Range;
  destination?: string;
  /** The id of the link definition that contains the destination. */
  reference?: string;
};

/** Replaces links with their label and address. */
function linkEdits(source: string, events: readonly MarkdownEvent[]): readonly Edit[] {
  const definitions = definitionsIn(source, events);
  const open: Link[] = [];
  const edits: Edit[] = [];
  for (const [kind, token] of events) {
    const range = rangeOf(token);
    const link = open.at(-1);
    if (kind === 'enter' && (token.type === 'link' || token.type === 'image')) {
      open.push({ ...range, label: { start: range.end, end: range.end } });
    } else if (kind === 'exit' && link && (token.type === 'link' || token.type === 'image')) {
      open.pop();
      const definition = definitions.get(link.reference ?? '');
      edits.push(...editsOfLink(source, link, link.destination ?? definition?.destination));
      edits.push(...(definition ? [removal(definition)] : []));
    } else if (kind === 'enter' && link) {
      note(source, link, token);
    }
  }

  return edits;
}

function note(source: string, link: Link, token: Token): void {
  const range = rangeOf(token);
  const text = source.slice(range.start, range.end);
  if (token.type === 'labelText') {
    link.label = range;
    link.reference ??= idOf(text);
  } else if (token.type === 'referenceString') {
    link.reference = idOf(text);
  } else if (token.type === 'resourceDestinationString') {
    link.destination = text;
  }
}

/** The ids of link definitions ignore case and the kind of whitespace. */
function idOf(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

type Definition = Range & { readonly destination: string };

function definitionsIn(
  source: string,
  events: readonly MarkdownEvent[],
): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Definition>();
  let [line, id]: [Range, string] = [{ start: 0, end: 0 }, ''];
  for (const [kind, token] of events) {
    const { start, end } = rangeOf(token);
    const text = source.slice(start, end);
    if (kind === 'enter' && token.type === 'definition') {
      line = lineOf(source, { start, end });
    } else if (kind === 'enter' && token.type === 'definitionLabelString') {
      id = idOf(text);
    } else if (kind === 'enter' && token.type === 'definitionDestinationString') {
      definitions.set(id, definitions.get(id) ?? { ...line, destination: text });
    }
  }

  return definitions;
}

/** An address that a reader can open, with or without a scheme. */
const address = /^(?:https?:\/\/|www\.|mailto:|tel:|(?:[\p{L}\d-]+\.)+\p{L}{2,}(?:[/?#]|$))/iu;
/** A relative address, which a reader of plain text cannot open. */
const place = /^[/#.?]/;

function editsOfLink(source: string, link: Link, destination = ''): readonly Edit[] {
  const { start, end, label } = link;
  const words = source.slice(label.start, label.end).trim();
  const target = destination.replace(/^(?:mailto|tel):/i, '');
  const opening = removal({ start, end: label.start });
  const closing = { start: label.end, end };
  if (address.test(destination)) {
    const separator = words.endsWith(':') ? ' ' : ': ';

    return words === '' || isSameAddress(words, target)
      ? [{ start, end, text: target }]
      : [opening, { ...closing, text: `${separator}${target}` }];
  }

  return destination === '' || place.test(destination) ? [opening, removal(closing)] : [];
}

function isSameAddress(label: string, target: string): boolean {
  const [one, other] = [label, target].map((text) =>
    text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\/$/, ''),
  );

  return one === other;
}

/** Formats a table row as `Name: first, second`. */
function rowEdits(source: string, events: readonly MarkdownEvent[]): readonly Edit[] {
  const edits: Edit[] = [];
  let bars: Range[] | undefined;
  for (const [kind, token] of events) {
    const range = rangeOf(token);
    if (kind === 'enter' && token.type === 'tableRow') {
      bars = [];
    } else if (kind === 'enter' && token.type === 'tableCellDivider') {
      const { start, end } = withSpaces(source, range);
      bars?.push({ start: Math.max(start, bars.at(-1)?.end ?? 0), end });
    } else if (kind === 'exit' && token.type === 'tableRow') {
      edits.push(...barEdits(range, bars ?? []));
      bars = undefined;
    }
  }

  return edits;
}

/** An empty cell needs no separator. */
function barEdits(row: Range, bars: readonly Range[]): readonly Edit[] {
  let filled = 0;
  let before = row.start;

  return bars.map((bar, index) => {
    filled += bar.start > before ? 1 : 0;
    before = bar.end;
    const isBeforeText = bar.end < (bars[index + 1]?.start ?? row.end);
    const separator = filled === 1 ? ': ' : ', ';

    return { ...bar, text: filled > 0 && isBeforeText ? separator : '' };
  });
}
