export type Cell = string | number | boolean | null | undefined;

/** Without it, Excel uses the encoding of the operating system. */
export const byteOrderMark = '\uFEFF';

/**
 * Spreadsheets also interpret full-width signs as formulas, and ignore a byte order mark. Matches
 * apostrophes before a formula, so that an import can tell which one the export added.
 */
const startsFormula = /^'*\uFEFF*[=+\-@\t\r\n＝＋－＠]/;

/** Adds an apostrophe before text that a spreadsheet would interpret as a formula. */
export function withoutFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

/** Reverses `withoutFormula`. */
export function withFormula(text: string): string {
  return text.startsWith("'") && startsFormula.test(text) ? text.slice(1) : text;
}

/**
 * Numbers, including negative ones, are not quoted. Every text is quoted, because a spreadsheet may
 * use a different separator and would split the text there.
 */
function cellText(cell: Cell): string {
  if (typeof cell !== 'string' || cell === '') {
    return String(cell ?? '');
  }

  return `"${withoutFormula(cell).replaceAll('"', '""')}"`;
}

/**
 * Returns the start of a file with its header row. The column names are our own and need no quotes.
 */
export function csvHeader(names: readonly string[]): string {
  return `${byteOrderMark}${names.join(',')}\r\n`;
}

/** Returns one CSV row (RFC 4180) with its line break. Missing values are empty cells. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}
