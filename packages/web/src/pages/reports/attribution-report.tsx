import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client, type GetAttributionInput, type Platform } from '../../service.ts';
import { SelectFilter, useFilters } from '../../ui/filters.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Region } from '../../ui/section.tsx';
import { BarChart } from './charts.tsx';
import { type Range, utcDaysOf } from './range.tsx';
import { Figures, Report } from './report.tsx';

type Part = GetAttributionInput['by'];

const parts: Readonly<Record<Part, string>> = {
  post: 'Posts',
  keyword: 'Keywords',
  campaign: 'Campaigns',
  network: 'Networks',
  link: 'Links',
};
const first: Part = 'post';

export function AttributionReport({ range }: { readonly range: Range }) {
  const { timeZone } = useFormats();
  const chosen = useFilters().filter('by');
  const by = chosen in parts ? (chosen as Part) : first;
  const days = utcDaysOf(range, timeZone);
  const attribution = useGet(['reports', 'attribution', by, days], (organizationId, options) =>
    client.leads.getAttribution({ organizationId, by, ...days }, options),
  );

  return (
    <Region
      title="Attribution"
      about="What brought customers: from a post and its keyword to clicks, leads and sales. These count by days in UTC."
    >
      <div class="toolbar">
        <SelectFilter name="by" label="Attribution by" initial={first} options={parts} />
      </div>
      <Loaded of={attribution}>
        {({ rows }) => (
          <Rows by={by} rows={rows.map((row) => ({ ...row, title: nameOf(by, row) }))} />
        )}
      </Loaded>
    </Region>
  );
}

function nameOf(by: Part, { key, name }: { readonly key: string; readonly name: string | null }) {
  if (by === 'network') {
    return networkNames[key as Platform] ?? key;
  }

  return name ?? `Deleted ${by}`;
}

type Row = {
  readonly title: string;
  readonly clicks: number;
  readonly conversations: number;
  readonly leads: number;
  readonly converted: number;
  readonly valueCents: number;
};

function Rows({ by, rows }: { readonly by: Part; readonly rows: readonly Row[] }) {
  const { number, units } = useFormats();
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);
  const hasSales = rows.some(({ valueCents }) => valueCents > 0);
  const amount = (name: string, of: (row: Row) => number) => ({
    name,
    of,
    show: (row: Row) => number(of(row)),
  });

  return (
    <Report
      title="Attribution"
      file={`attribution-by-${by}`}
      rows={rows}
      empty={[
        'Nothing is attributed in this range',
        'It begins with a comment or message that has a campaign’s keyword.',
      ]}
      columns={[
        {
          name: parts[by].slice(0, -1),
          of: ({ title }) => title,
          show: ({ title }) => title,
          isText: true,
        },
        amount('Conversations', ({ conversations }) => conversations),
        amount('Clicks', ({ clicks }) => clicks),
        amount('Leads', ({ leads }) => leads),
        amount('Converted', ({ converted }) => converted),
        {
          name: 'Value',
          of: ({ valueCents }) => valueCents / 100,
          show: ({ valueCents }) => units(valueCents),
        },
      ]}
    >
      <Figures
        of={{
          Conversations: number(sum(({ conversations }) => conversations)),
          Clicks: number(sum(({ clicks }) => clicks)),
          Leads: number(sum(({ leads }) => leads)),
          Converted: number(sum(({ converted }) => converted)),
          Value: units(sum(({ valueCents }) => valueCents)),
        }}
      />
      <BarChart
        label={`${hasSales ? 'Value' : 'Leads'} by ${by}`}
        bars={rows.map(({ title, leads, valueCents }) => ({
          name: title,
          value: hasSales ? valueCents : leads,
        }))}
        show={hasSales ? units : number}
      />
    </Report>
  );
}
