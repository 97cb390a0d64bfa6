import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client } from '../../service.ts';
import { Region } from '../../ui/section.tsx';
import { sourceName } from '../../ui/source-name.ts';
import { BarChart } from './charts.tsx';
import { Report } from './report.tsx';

export function SourcesReport() {
  const { number, units } = useFormats();
  const sources = useGet(['reports', 'sources'], (organizationId, options) =>
    client.leads.getSourceAnalytics({ organizationId }, options),
  );

  return (
    <Region title="Sources" about="Where all leads came from, whatever the range.">
      <Loaded of={sources}>
        {({ sources: rows }) => (
          <Report
            title="Sources"
            file="sources"
            rows={rows}
            empty={['No leads yet', 'Each lead has a source, such as a form or a network.']}
            columns={[
              {
                name: 'Source',
                of: ({ source }) => source,
                show: ({ source }) => sourceName(source),
                isText: true,
              },
              { name: 'Leads', of: ({ count }) => count, show: ({ count }) => number(count) },
              {
                name: 'Converted (%)',
                of: ({ conversionRate }) => conversionRate,
                show: ({ conversionRate }) => number(conversionRate),
              },
              {
                name: 'Average value',
                of: ({ averageValue }) => averageValue / 100,
                show: ({ averageValue }) => units(Math.round(averageValue)),
              },
              {
                name: 'Value',
                of: ({ totalValue }) => totalValue / 100,
                show: ({ totalValue }) => units(totalValue),
              },
            ]}
          >
            <BarChart
              label="Sources"
              bars={rows.map(({ source, count }) => ({ name: sourceName(source), value: count }))}
              show={number}
            />
          </Report>
        )}
      </Loaded>
    </Region>
  );
}
