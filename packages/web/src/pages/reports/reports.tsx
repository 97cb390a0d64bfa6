import { useOrganization } from '../../frame/data.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { AccountsReport } from './accounts-report.tsx';
import { AttributionReport } from './attribution-report.tsx';
import { ContentReport } from './content-report.tsx';
import { LeadsReport } from './leads-report.tsx';
import { PipelineReport } from './pipeline-report.tsx';
import { problemOf, RangeFilter, useRange } from './range.tsx';
import { SourcesReport } from './sources-report.tsx';

export function Area() {
  const organization = useOrganization();

  return (
    <Page title="Reports" actions={<RangeFilter />}>
      {organization.data ? (
        <>
          <p class="quiet">
            Days are those of the time zone {organization.data.organization.timezone}.
          </p>
          <Reports />
        </>
      ) : (
        organization.isPending && <Loading />
      )}
    </Page>
  );
}

function Reports() {
  const range = useRange();
  const problem = problemOf(range);
  if (problem) {
    return (
      <p class="notice" role="alert">
        {problem}
      </p>
    );
  }

  return (
    <div class="settings">
      <LeadsReport range={range} />
      <AttributionReport range={range} />
      <ContentReport range={range} />
      <AccountsReport range={range} />
      <SourcesReport />
      <PipelineReport />
    </div>
  );
}
