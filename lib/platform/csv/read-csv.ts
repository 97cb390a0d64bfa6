import { byteOrderMark } from './write-csv.ts';

/** Thrown for invalid CSV. The message names the problem and the record. */
export class MalformedCsvError extends Error {
  constructor(record: number, what: string) {
    super(`record ${record} ${what}`);
    this.name = 'MalformedCsvError';
  }
}

/** The supported separators, with the pattern of an unquoted cell. */
const plainText = {
  ',': /[^",\r\n]*/y,
  ';': /[^";\r\n]*/y,
  '\t': /[^"\t\r\n]*/y,
  '|': /[^"|\r\n]*/y,
} as const;
type Separator = keyof typeof plainText;
const separators = Object.keys(plainText) as readonly Separator[];
/** Excel also writes single carriage returns. */
const lineBreak = /\r\n|\n|\r/y;
/** Names the separator for Excel. */
const separatorLine = /^sep=([,;\t|])(?:\r\n|\n|\r|$)/i;
/** Longer than the header of any accepted file. */
const maxHeaderLength = 50_000;

type ReadCell = { readonly cell: string; readonly end: number };

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;

  return pattern.exec(text)?.[0];
}

function readPlain(text: string, start: number, separator: Separator): ReadCell {
  const cell = matchAt(plainText[separator], text, start) ?? '';

  return { cell, end: start + cell.length };
}

function readQuoted(text: string, start: number, record: number): ReadCell {
  let cell = '';
  let position = start + 1;
  for (;;) {
    const quote = text.indexOf('"', position);
    if (quote < 0) {
      throw new MalformedCsvError(record, 'has an unterminated quoted cell');
    }
    cell += text.slice(position, quote);
    if (text[quote + 1] !== '"') {
      return { cell, end: quote + 1 };
    }
    cell += '"';
    position = quote + 2;
  }
}

/**
 * Returns the separator that occurs most often in the header, outside of quotes. Spreadsheets use
 * semicolons and tabs in locales with decimal commas.
 */
function separatorOf(text: string): Separator {
  const unquoted = text.slice(0, maxHeaderLength).replaceAll(/"[^"]*"/g, '');
  const [header = ''] = unquoted.split(/[\r\n]/, 1);
  const countOf = (separator: Separator) => header.split(separator).length;

  return separators.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? ',';
}

/**
 * Yields the records of a CSV file (RFC 4180), so that callers can stop early. If no separator is
 * given, it comes from a first line such as `sep=;`, or from the header. The line break after the
 * last record is optional.
 */
export function* readCsv(
  input: string,
  givenSeparator?: Separator,
): Generator<readonly string[], void, undefined> {
  const file = input.startsWith(byteOrderMark) ? input.slice(1) : input;
  const [line = '', named] = givenSeparator ? [] : (separatorLine.exec(file) ?? []);
  const text = file.slice(line.length);
  const separator = givenSeparator ?? (named as Separator | undefined) ?? separatorOf(text);
  let position = 0;
  for (let record = 1; position < text.length; record += 1) {
    const cells: string[] = [];
    for (let isOpen = true; isOpen; ) {
      const isQuoted = text[position] === '"';
      const { cell, end } = isQuoted
        ? readQuoted(text, position, record)
        : readPlain(text, position, separator);
      cells.push(cell);
      isOpen = text[end] === separator;
      position = isOpen ? end + 1 : end + endOfRecord(text, end, record);
    }
    yield cells;
  }
}

function endOfRecord(text: string, position: number, record: number): number {
  const found = matchAt(lineBreak, text, position);
  if (found === undefined && position < text.length) {
    throw new MalformedCsvError(record, 'has a quote in the wrong place');
  }

  return found?.length ?? 0;
}
