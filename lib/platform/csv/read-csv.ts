/** Thrown for invalid CSV. The message names the problem and the record. */
export class MalformedCsvError extends Error {
  constructor(record: number, what: string) {
    super(`record ${record} ${what}`);
    this.name = 'MalformedCsvError';
  }
}

const byteOrderMark = '\uFEFF';
/** The supported separators, with the pattern of an unquoted cell. */
const plainText = {
  ',': /[^",\r\n]*/y,
  ';': /[^";\r\n]*/y,
  '\t': /[^"\t\r\n]*/y,
} as const;
type Separator = keyof typeof plainText;
const lineBreak = /\r?\n/y;

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
 * Detects the separator: a comma or, if the first line has none, a semicolon or tab. Spreadsheets
 * use those in locales with decimal commas.
 */
export function separatorOf(text: string): Separator {
  const [firstLine = ''] = text.split('\n', 1);

  return ([',', ';', '\t'] as const).find((one) => firstLine.includes(one)) ?? ',';
}

/**
 * Yields the records of a CSV file (RFC 4180), so that callers can stop early. Records end with
 * CRLF or LF, which is optional for the last one.
 */
export function* readCsv(
  input: string,
  separator: Separator = ',',
): Generator<readonly string[], void, undefined> {
  const text = input.startsWith(byteOrderMark) ? input.slice(1) : input;
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
    throw new MalformedCsvError(record, 'has a quote or a carriage return in the wrong place');
  }

  return found?.length ?? 0;
}
