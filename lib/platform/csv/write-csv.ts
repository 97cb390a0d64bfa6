export type Cell = string | number | boolean | null | undefined;

/** Spreadsheets also read full-width signs as formulas, and skip a byte order mark. */
const startsFormula = /^\uFEFF*[=+\-@\t\r\n＝＋－＠]/;

/** Prefixes text that a spreadsheet would interpret as a formula with an apostrophe. */
export function withoutFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
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

/** Returns the first row. The names are ours and need no quotes. */
export function csvHeader(names: readonly string[]): string {
  return `${names.join(',')}\r\n`;
}

/** Returns one CSV row (RFC 4180) with its line break. Missing values are empty cells. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}
