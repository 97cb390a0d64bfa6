import { Download, Plus, Upload } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { Loaded } from '../../frame/data.tsx';
import { useCan } from '../../frame/session.tsx';
import { usePipelines } from '../../frame/shared-data.ts';
import type { Pipeline } from '../../service.ts';
import { useFilters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Failure } from '../../ui/states.tsx';
import { Board } from './board.tsx';
import { useExport } from './export-leads.ts';
import { Filters } from './filters.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { nameOf } from './lead.ts';
import { LeadList } from './lead-list.tsx';
import { useMoveLead } from './move-lead.ts';
import { NewLeadDialog } from './new-lead-dialog.tsx';
import { useSelection } from './selection.ts';

export function LeadsPage() {
  const pipelines = usePipelines();
  const { filter } = useFilters();
  const isList = filter('view') === 'list';

  return (
    <Page title="Leads" wide={!isList} actions={<Actions pipelines={pipelines.data?.pipelines} />}>
      <Loaded of={pipelines}>
        {({ pipelines: all }) => <Leads pipelines={all} isList={isList} />}
      </Loaded>
    </Page>
  );
}

type Opened = 'import' | 'new' | undefined;

function Actions({ pipelines }: { readonly pipelines: readonly Pipeline[] | undefined }) {
  const can = useCan();
  const [opened, setOpened] = useState<Opened>();
  const exporting = useExport(useSelection());
  const close = () => setOpened(undefined);
  const download = () => exporting.send().catch(() => undefined);
  if (!can('MEMBER')) {
    return null;
  }

  return (
    <>
      <button type="button" class="button" onClick={() => setOpened('import')}>
        <Upload aria-hidden="true" />
        Import
      </button>
      <button
        type="button"
        class="button"
        aria-disabled={exporting.isSending}
        onClick={() => exporting.isSending || void download()}
      >
        <Download aria-hidden="true" />
        Export
      </button>
      <button type="button" class="button primary" onClick={() => setOpened('new')}>
        <Plus aria-hidden="true" />
        New lead
      </button>
      <Failed of={exporting} />
      {opened === 'import' && <ImportDialog pipelines={pipelines ?? []} onClose={close} />}
      {opened === 'new' && <NewLeadDialog pipelines={pipelines ?? []} onClose={close} />}
    </>
  );
}

function Leads({
  pipelines,
  isList,
}: {
  readonly pipelines: readonly Pipeline[];
  readonly isList: boolean;
}) {
  const { filter } = useFilters();
  const { move, failed } = useMoveLead();
  const shown =
    pipelines.find(({ id }) => id === filter('pipelineId')) ??
    pipelines.find(({ isDefault }) => isDefault) ??
    pipelines[0];

  return (
    <>
      <div class="toolbar">
        <ViewLink view="">Board</ViewLink>
        <ViewLink view="list">List</ViewLink>
        <Filters pipelines={pipelines} />
      </div>
      {failed && (
        <div class="stack">
          <p>
            {nameOf(failed.lead)} was not moved to {failed.stage.name}.
          </p>
          <Failure error={failed.error} onRetry={() => move(failed.lead, failed.stage)} />
        </div>
      )}
      {isList ? (
        <LeadList pipelines={pipelines} onMove={move} />
      ) : (
        shown && <Board key={shown.id} pipeline={shown} onMove={move} />
      )}
    </>
  );
}

function ViewLink({ view, children }: { readonly view: string; readonly children: string }) {
  const [params] = useSearchParams();
  const target = new URLSearchParams(params);
  if (view === '') {
    target.delete('view');
  } else {
    target.set('view', view);
  }
  const isCurrent = (params.get('view') ?? '') === view;

  return (
    <Link href={`/leads?${target}`} class="button" aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Link>
  );
}
