import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import { planUsageCount, type Usage, type UsageOf } from '#lib/features/ai/usage.ts';
import type { Write } from '#lib/platform/db/write.ts';
import type { Conversation } from './conversation.ts';

/**
 * The agent and template that answered a customer. Stored with the counts, so that a later change
 * subtracts from the same ones even if another agent answers by then.
 */
export type AnsweredBy = { readonly agentId?: string; readonly template?: NamedTemplate };

/** Returns who last answered in a conversation; `undefined` if only people did, or nobody. */
export function answererOf({
  responseCount,
  agentId,
  template,
}: Conversation): AnsweredBy | undefined {
  return responseCount > 0
    ? { ...(agentId ? { agentId } : {}), ...(template ? { template } : {}) }
    : undefined;
}

/** An amount to add to the answerers' metrics. Negative amounts subtract. */
type Counted = { readonly by: AnsweredBy | undefined; readonly amounts: Usage };

/** Returns one write for each agent or template whose metrics change. */
export function planAnswererCounts(
  organizationId: string,
  ...counted: readonly Counted[]
): readonly Write[] {
  const sums = new Map<string, { of: UsageOf; id: string; amounts: Record<string, number> }>();
  for (const { by, amounts } of counted) {
    for (const { of, id } of figuresOf(by)) {
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
      ? [planUsageCount(organizationId, of, id, Object.fromEntries(changed))]
      : [];
  });
}

function figuresOf({ agentId, template }: AnsweredBy = {}) {
  return [
    ...(agentId ? [{ of: 'AGENT', id: agentId } as const] : []),
    ...(template ? [{ of: template.kind, id: template.id } as const] : []),
  ];
}
