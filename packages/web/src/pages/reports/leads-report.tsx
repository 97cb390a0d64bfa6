import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client } from '../../service.ts';
import { Region } from '../../ui/section.tsx';
import { DayChart } from './charts.tsx';
import { daysOf, type Range } from './range.tsx';
import { Figures, Report } from './report.tsx';

export function LeadsReport({ range }: { readonly range: Range }) {
  const { day, number, units } = useFormats();
  const stats = useGet(['reports', 'leads', range], (organizationId, options) =>
    client.leads.getStats({ organizationId, ...range }, options),
  );

  return (
    <Region
      title="Leads over time"
      about="Leads by the day they were created. Converted and value are of those that are converted now."
    >
      <Loaded of={stats}>
        {({ stats: { days: counted } }) => {
          const byDay = new Map((counted ?? []).map((one) => [one.date, one]));
          const rows = (counted ?? []).length === 0 ? [] : daysOf(range).map(countsOf);
          const sum = (of: (row: Counts) => number) => rows.reduce((all, row) => all + of(row), 0);

          function countsOf(date: string): Counts {
            return byDay.get(date) ?? { date, leads: 0, converted: 0, valueCents: 0 };
          }

          return (
            <Report
              title="Leads over time"
              file={`leads-${range.from}-${range.to}`}
              rows={rows.toReversed()}
              empty={['No leads in this range', 'Leads come from campaigns, forms and imports.']}
              columns={[
                {
                  name: 'Day',
                  of: ({ date }) => date,
                  show: ({ date }) => day(date),
                  isText: true,
                },
                { name: 'Leads', of: ({ leads }) => leads, show: ({ leads }) => number(leads) },
                {
                  name: 'Converted',
                  of: ({ converted }) => converted,
                  show: ({ converted }) => number(converted),
                },
                {
                  name: 'Value',
                  of: ({ valueCents }) => valueCents / 100,
                  show: ({ valueCents }) => units(valueCents),
                },
              ]}
            >
              <Figures
                of={{
                  Leads: number(sum(({ leads }) => leads)),
                  Converted: number(sum(({ converted }) => converted)),
                  Value: units(sum(({ valueCents }) => valueCents)),
                }}
              />
              <DayChart
                label="Leads"
                days={rows.map(({ date }) => date)}
                values={rows.map(({ leads }) => leads)}
                show={number}
              />
            </Report>
          );
        }}
      </Loaded>
    </Region>
  );
}

type Counts = {
  readonly date: string;
  readonly leads: number;
  readonly converted: number;
  readonly valueCents: number;
};
