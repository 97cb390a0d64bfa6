export type Cell = string | number | boolean | null | undefined;

const startsFormula = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;

/** What a spreadsheet would take for a formula is made text by an apostrophe before it. */
export function withoutFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

/** A number is one for a spreadsheet too, below nothing as well. */
function cellText(cell: Cell): string {
  const text = typeof cell === 'number' ? String(cell) : withoutFormula(String(cell ?? ''));

  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row of a CSV file (RFC 4180), with its line break. A cell without a value is empty. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}
