import { Link } from 'wouter-preact';
import { Loaded, More } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import type { Lead, Pipeline } from '../../service.ts';
import { isReal } from '../../ui/addresses.ts';
import { useFilters } from '../../ui/filters.tsx';
import { sourceName } from '../../ui/source-name.ts';
import { Empty } from '../../ui/states.tsx';
import { nameOf, statusNames, statusStyles } from './lead.ts';
import { LeadMenu } from './lead-menu.tsx';
import type { Stage } from './move-lead.ts';
import { useLeads, useSearchedLeads, useSelection } from './selection.ts';

type ListProps = {
  readonly pipelines: readonly Pipeline[];
  readonly onMove: (lead: Lead, stage: Stage) => void;
};

export function LeadList(props: ListProps) {
  const { filter } = useFilters();
  const search = filter('search');

  return search === '' ? <All {...props} /> : <Searched {...props} search={search} />;
}

function All(props: ListProps) {
  const leads = useLeads('list', useSelection());

  return (
    <Loaded of={leads}>
      {({ pages }) => (
        <>
          <Table leads={pages.flatMap((page) => page.leads)} {...props} />
          <More of={leads} />
        </>
      )}
    </Loaded>
  );
}

function Searched({ search, ...props }: ListProps & { readonly search: string }) {
  const { query, filter } = useSearchedLeads(useSelection(), search);

  return (
    <Loaded of={query}>
      {({ pages }) => (
        <>
          <Table leads={filter(pages.flatMap((page) => page.leads))} {...props} />
          <More of={query} />
        </>
      )}
    </Loaded>
  );
}

function Table({ leads, pipelines, onMove }: ListProps & { readonly leads: readonly Lead[] }) {
  const can = useCan();
  const { ago, units } = useFormats();
  const stagesOf = ({ pipelineId }: Lead) =>
    pipelines.find(({ id }) => id === pipelineId)?.stages ?? [];
  if (leads.length === 0) {
    return (
      <Empty title="No leads found">
        <p>People who write a campaign’s keyword become leads. You can import some, too.</p>
      </Empty>
    );
  }

  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Lead</th>
          <th scope="col">Stage</th>
          <th scope="col">Status</th>
          <th scope="col">Source</th>
          <th scope="col" class="amount">
            Value
          </th>
          <th scope="col">Created</th>
          {can('MEMBER') && (
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {leads.map((lead) => (
          <tr key={lead.id}>
            <td>
              <Link href={`/leads/${lead.id}`} class="title">
                {nameOf(lead)}
              </Link>
              {lead.contact && isReal(lead.contact.email) && (
                <p class="quiet small">{lead.contact.email}</p>
              )}
            </td>
            <td>{stagesOf(lead).find(({ id }) => id === lead.stageId)?.name}</td>
            <td>
              <span class={`badge ${statusStyles[lead.status]}`}>{statusNames[lead.status]}</span>
            </td>
            <td class="quiet">{sourceName(lead.source)}</td>
            <td class="amount">{lead.value !== null && units(lead.value)}</td>
            <td class="quiet">{ago(lead.createdAt)}</td>
            {can('MEMBER') && (
              <td class="row-menu">
                <LeadMenu
                  lead={lead}
                  stages={stagesOf(lead)}
                  onMove={(stage) => onMove(lead, stage)}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
