export type Cell = string | number | undefined;

export type Column<Row> = {
  readonly title: string;
  /** `undefined` is printed as n/a, because it was not measured. */
  readonly value: (row: Row) => Cell;
  /** The number of decimal places. */
  readonly digits?: number;
};

/** Formats a table as plain text. The first column is left-aligned, the others right-aligned. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value, digits }) => formatCell(value(row), digits))),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => cells[index]?.length ?? 0)),
  );
  const [head = '', ...body] = lines.map((cells) => formatLine(cells, widths));

  return [head, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n');
}

function formatCell(cell: Cell, digits = 0): string {
  if (cell === undefined) {
    return 'n/a';
  }

  return typeof cell === 'number' ? withThousands(cell.toFixed(digits)) : cell;
}

function withThousands(number: string): string {
  return number.replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ',');
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;

      return index === 0 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join('  ')
    .trimEnd();
}
