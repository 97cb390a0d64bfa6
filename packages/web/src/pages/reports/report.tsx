import { Download } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { type Cell, csvHeader, csvRow } from '../../../../../lib/platform/csv/write-csv.ts';
import { saveFile } from '../../frame/save-file.ts';
import { Scrolling } from '../../ui/scrolling.tsx';
import { Empty } from '../../ui/states.tsx';

export type Column<Row> = {
  readonly name: string;
  /** The raw value, for the CSV file. */
  readonly of: (row: Row) => Cell;
  /** What people see. */
  readonly show: (row: Row) => ComponentChildren;
  readonly isText?: boolean;
};

/** A chart with a table of all values, and the table as a CSV file. */
export function Report<Row>({
  title,
  file,
  columns,
  rows,
  empty,
  children,
}: {
  /** The title of the table and of the file's button. */
  readonly title: string;
  readonly file: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The title and explanation if there are no rows. */
  readonly empty: readonly [string, string];
  /** The chart. */
  readonly children: ComponentChildren;
}) {
  if (rows.length === 0) {
    return (
      <Empty title={empty[0]}>
        <p>{empty[1]}</p>
      </Empty>
    );
  }
  const save = () => {
    const lines = rows.map((row) => csvRow(columns.map(({ of }) => of(row))));
    saveFile(`${file}.csv`, [csvHeader(columns.map(({ name }) => name)), ...lines].join(''));
  };

  return (
    <>
      {children}
      <Scrolling label={`Table: ${title}`} class="report-table">
        <table>
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              {columns.map(({ name, isText }) => (
                <th key={name} scope="col" class={isText ? '' : 'amount'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map(({ name, show, isText }) => (
                  <td key={name} class={isText ? '' : 'amount'}>
                    {show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      <div class="actions">
        <button type="button" class="button" onClick={save}>
          <Download aria-hidden="true" />
          Download CSV<span class="hidden"> of {title}</span>
        </button>
      </div>
    </>
  );
}

/** The totals above a chart. */
export function Figures({ of }: { readonly of: Readonly<Record<string, string>> }) {
  return (
    <dl class="figures">
      {Object.entries(of).map(([name, value]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
