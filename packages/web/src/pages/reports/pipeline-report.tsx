import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { pipelineNames, usePipelines } from '../../frame/shared-data.ts';
import { client } from '../../service.ts';
import { SelectFilter, useFilters } from '../../ui/filters.tsx';
import { Region } from '../../ui/section.tsx';
import { BarChart } from './charts.tsx';
import { Figures, Report } from './report.tsx';

export function PipelineReport() {
  const pipelines = usePipelines();

  return (
    <Region
      title="Pipeline"
      about="Where all leads are now, and how long leads stayed in each stage that they left."
    >
      <Loaded of={pipelines}>
        {({ pipelines: all }) => (
          <>
            {all.length > 1 && (
              <div class="toolbar">
                <SelectFilter name="pipeline" label="Pipeline" options={pipelineNames(all)} />
              </div>
            )}
            <Stages />
          </>
        )}
      </Loaded>
    </Region>
  );
}

function Stages() {
  const { number, duration } = useFormats();
  const pipelineId = useFilters().filter('pipeline');
  const pipeline = useGet(['reports', 'pipeline', pipelineId], (organizationId, options) =>
    client.leads.getPipelineAnalytics(
      { organizationId, ...(pipelineId && { pipelineId }) },
      options,
    ),
  );

  return (
    <Loaded of={pipeline}>
      {({ pipeline: { stages, overallConversionRate, averageTimeToConvert } }) => (
        <Report
          title="Pipeline"
          file="pipeline"
          rows={stages}
          empty={['No stages', 'The pipeline has no stages.']}
          columns={[
            { name: 'Stage', of: ({ name }) => name, show: ({ name }) => name, isText: true },
            {
              name: 'Leads',
              of: ({ leadCount }) => leadCount,
              show: ({ leadCount }) => number(leadCount),
            },
            {
              name: 'Average time in stage',
              of: ({ averageTimeInStage }) => averageTimeInStage,
              show: ({ averageTimeInStage }) => duration(averageTimeInStage),
            },
          ]}
        >
          <Figures
            of={{
              Converted: `${number(overallConversionRate)}%`,
              'Average time to convert': duration(averageTimeToConvert),
            }}
          />
          <BarChart
            label="Leads by stage"
            bars={stages.map(({ name, leadCount }) => ({ name, value: leadCount }))}
            show={number}
          />
        </Report>
      )}
    </Loaded>
  );
}
