import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import { listInteractiveTemplates, type Template } from '#lib/features/ai/templates.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { pickVariant } from './pick-variant.ts';

/**
 * Returns the template for a conversation. If the template is part of an A/B test, a variant is
 * picked by weight. The conversation keeps its variant while that exists.
 */
export async function chooseTemplate(
  { organizationId, id, template: kept }: Conversation,
  named: NamedTemplate,
): Promise<NamedTemplate> {
  if (named.kind === 'TEMPLATE') {
    return named;
  }
  const templates = await listInteractiveTemplates(organizationId, {});
  const testId = templates.find((known) => known.id === named.id)?.abTestVariant?.testId;
  const variants = templates.flatMap((known) => variantOf(known, testId));
  const chosen = variants.find((variant) => variant.id === kept?.id) ?? pickVariant(variants, id);

  return chosen ? { id: chosen.id, kind: named.kind } : named;
}

function variantOf({ id, isActive, abTestVariant }: Template, testId: string | undefined) {
  return testId !== undefined && isActive && abTestVariant?.testId === testId
    ? [{ id, weight: abTestVariant.weight }]
    : [];
}
