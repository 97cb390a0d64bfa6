export type Cell = string | number | boolean | null | undefined;

const startsFormula = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;

/** Prefixes text that a spreadsheet would interpret as a formula with an apostrophe. */
export function withoutFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

/** Numbers, including negative ones, stay numbers. */
function cellText(cell: Cell): string {
  const text = typeof cell === 'number' ? String(cell) : withoutFormula(String(cell ?? ''));

  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns one CSV row (RFC 4180) with its line break. Missing values are empty cells. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}
