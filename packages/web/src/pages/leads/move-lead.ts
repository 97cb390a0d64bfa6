import type { InfiniteData } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { cancelReads, queries, refresh } from '../../frame/queries.ts';
import { useMembership } from '../../frame/session.tsx';
import { client, type Lead, type ListLeadsResponse } from '../../service.ts';

export type Stage = { readonly id: string; readonly name: string };
type Move = { readonly lead: Lead; readonly stage: Stage };
type Lists = InfiniteData<ListLeadsResponse>;

/** Moves leads between stages. The board shows the move immediately. */
export function useMoveLead() {
  const { id: organizationId } = useMembership();
  const [last, setLast] = useState<Move>();
  const moving = useSend(
    ({ leadId, stageId }: { readonly leadId: string; readonly stageId: string }, options) =>
      client.leads.moveStage({ organizationId, leadId, stageId }, options),
    { changes: ['leads'], inOrder: 'leads' },
  );
  const move = async (lead: Lead, stage: Stage) => {
    setLast({ lead, stage });
    showInStage(organizationId, lead, stage);
    try {
      await moving.send({ leadId: lead.id, stageId: stage.id });
    } catch {
      refresh(['leads']);
    }
  };

  return {
    move: (lead: Lead, stage: Stage) => {
      if (lead.stageId !== stage.id) {
        void move(lead, stage);
      }
    },
    failed: moving.error && last ? { ...last, error: moving.error } : undefined,
  };
}

/** Shows the lead in its new stage in the loaded lists, until they are loaded again. */
function showInStage(organizationId: string, lead: Lead, stage: Stage): void {
  void cancelReads('leads');
  const moved = { ...lead, stageId: stage.id };
  for (const { queryKey } of queries
    .getQueryCache()
    .findAll({ queryKey: [organizationId, 'leads'] })) {
    const [, , view, selection] = queryKey;
    const stageId = view === 'board' && (selection as { readonly stageId: string }).stageId;
    if (stageId || view === 'search' || view === 'list') {
      queries.setQueryData<Lists>(
        queryKey,
        (lists) =>
          lists && {
            ...lists,
            pages: lists.pages.map((page, index) => ({
              ...page,
              leads: stageId
                ? [
                    ...(stageId === stage.id && index === 0 ? [moved] : []),
                    ...page.leads.filter(({ id }) => id !== lead.id),
                  ]
                : page.leads.map((one) => (one.id === lead.id ? moved : one)),
            })),
          },
      );
    }
  }
}
