export type Cell = string | number | boolean | null | undefined;

/** Without it, Excel takes a file for one in the encoding of its system. */
export const byteOrderMark = '\uFEFF';

/**
 * Spreadsheets also read full-width signs as formulas, and skip a byte order mark. Apostrophes
 * before a formula are included, so that an import knows which one the export added.
 */
const startsFormula = /^'*\uFEFF*[=+\-@\t\r\n＝＋－＠]/;

/** Prefixes text that a spreadsheet would interpret as a formula with an apostrophe. */
export function withoutFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

/** Returns the text that `withoutFormula` was given. */
export function withFormula(text: string): string {
  return text.startsWith("'") && startsFormula.test(text) ? text.slice(1) : text;
}

/**
 * Numbers, including negative ones, stay numbers. Every text is quoted, because a spreadsheet may
 * use another separator than ours and would split the text there.
 */
function cellText(cell: Cell): string {
  if (typeof cell !== 'string' || cell === '') {
    return String(cell ?? '');
  }

  return `"${withoutFormula(cell).replaceAll('"', '""')}"`;
}

/** Returns the start of a file with its first row. The names are ours and need no quotes. */
export function csvHeader(names: readonly string[]): string {
  return `${byteOrderMark}${names.join(',')}\r\n`;
}

/** Returns one CSV row (RFC 4180) with its line break. Missing values are empty cells. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}
