import {
  type AnswerCounts,
  type AnswerCountsOf,
  planAnswerCounts,
} from '#lib/features/ai/answer-counts.ts';
import type { Write } from '#lib/platform/db/write.ts';
import type { AnsweredBy, Conversation } from './conversation.ts';

/** Returns who last answered in a conversation. `undefined` if only people did, or nobody. */
export function responderOf({
  responseCount,
  agentId,
  template,
}: Conversation): AnsweredBy | undefined {
  return responseCount > 0
    ? { ...(agentId ? { agentId } : {}), ...(template ? { template } : {}) }
    : undefined;
}

/** An amount to add to the metrics of responders. Negative amounts subtract. */
type Counted = { readonly by: AnsweredBy | undefined; readonly amounts: AnswerCounts };

/** Returns one write for each agent or template whose metrics change. */
export function planResponderCounts(
  organizationId: string,
  ...counted: readonly Counted[]
): readonly Write[] {
  const sums = new Map<
    string,
    { of: AnswerCountsOf; id: string; amounts: Record<string, number> }
  >();
  for (const { by, amounts } of counted) {
    for (const { of, id } of recordsOf(by)) {
      const entry = sums.get(id) ?? { of, id, amounts: {} };
      for (const [name, amount] of Object.entries(amounts)) {
        entry.amounts[name] = (entry.amounts[name] ?? 0) + amount;
      }
      sums.set(id, entry);
    }
  }

  return [...sums.values()].flatMap(({ of, id, amounts }) => {
    const changed = Object.entries(amounts).filter(([, amount]) => amount !== 0);

    return changed.length > 0
      ? [planAnswerCounts(organizationId, of, id, Object.fromEntries(changed))]
      : [];
  });
}

function recordsOf({ agentId, template }: AnsweredBy = {}) {
  return [
    ...(agentId ? [{ of: 'AGENT', id: agentId } as const] : []),
    ...(template ? [{ of: template.kind, id: template.id } as const] : []),
  ];
}
