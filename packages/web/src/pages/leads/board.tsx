import { Loaded, More } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import type { Lead, Pipeline } from '../../service.ts';
import { useDropTarget } from '../../ui/drag.ts';
import { useFilters } from '../../ui/filters.tsx';
import { Scrolling } from '../../ui/scrolling.tsx';
import { LeadCard } from './lead-card.tsx';
import type { Stage } from './move-lead.ts';
import { type Selection, useLeads, useSearchedLeads, useSelection } from './selection.ts';

type BoardProps = {
  readonly pipeline: Pipeline;
  readonly onMove: (lead: Lead, stage: Stage) => void;
};

/** The leads of a pipeline by stage. Each stage loads its own leads page by page. */
export function Board(props: BoardProps) {
  const { filter } = useFilters();
  const selection = { ...useSelection(), pipelineId: props.pipeline.id };
  const search = filter('search');

  return search === '' ? (
    <Scrolling label="Board" class="board">
      {props.pipeline.stages.map((stage) => (
        <LoadedColumn key={stage.id} stage={stage} selection={selection} {...props} />
      ))}
    </Scrolling>
  ) : (
    <Searched search={search} selection={selection} {...props} />
  );
}

function LoadedColumn({
  stage,
  selection,
  ...props
}: BoardProps & { readonly stage: Stage; readonly selection: Selection }) {
  const leads = useLeads('board', { ...selection, stageId: stage.id });
  const total = leads.data?.pages[0]?.pagination.total;

  return (
    <Column stage={stage} count={total} onMove={props.onMove}>
      <Loaded of={leads}>
        {({ pages }) => (
          <>
            {pages
              .flatMap((page) => page.leads)
              .map((lead) => (
                <LeadCard key={lead.id} lead={lead} {...props} />
              ))}
            <More of={leads} />
          </>
        )}
      </Loaded>
    </Column>
  );
}

function Searched({
  search,
  selection,
  ...props
}: BoardProps & { readonly search: string; readonly selection: Selection }) {
  const { query, filter } = useSearchedLeads(selection, search);

  return (
    <Loaded of={query}>
      {({ pages }) => {
        const found = filter(pages.flatMap(({ leads }) => leads));

        return (
          <>
            <Scrolling label="Board" class="board">
              {props.pipeline.stages.map((stage) => {
                const inStage = found.filter(({ stageId }) => stageId === stage.id);

                return (
                  <Column key={stage.id} stage={stage} count={inStage.length} onMove={props.onMove}>
                    {inStage.map((lead) => (
                      <LeadCard key={lead.id} lead={lead} {...props} />
                    ))}
                  </Column>
                );
              })}
            </Scrolling>
            <More of={query} />
          </>
        );
      }}
    </Loaded>
  );
}

function Column({
  stage,
  count,
  onMove,
  children,
}: {
  readonly stage: Stage;
  readonly count: number | null | undefined;
  readonly onMove: BoardProps['onMove'];
  readonly children: preact.ComponentChildren;
}) {
  const { number } = useFormats();
  const { ref, isOver } = useDropTarget<Lead>((lead) => onMove(lead, stage));

  return (
    <section ref={ref} class={`column ${isOver ? 'over' : ''}`} aria-label={stage.name}>
      <h2>
        {stage.name} {typeof count === 'number' && <span class="quiet">{number(count)}</span>}
      </h2>
      {children}
    </section>
  );
}
