import { createHash } from 'node:crypto';
import { isOptimized } from '#lib/features/ai/ab-tests.ts';
import { readAnswerCounts, resultsOf } from '#lib/features/ai/answer-counts.ts';
import { probabilitiesBest, type Results } from '#lib/features/ai/probability-best.ts';
import { readInteractiveTemplates, type Template } from '#lib/features/ai/template.ts';
import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';

/**
 * Returns the template for a conversation. If the template is part of an A/B test, picks one of its
 * active variants. The conversation keeps its variant while that exists.
 *
 * @param inPrivate the private conversation of the answer, if it differs. Its variant takes
 * precedence.
 */
export async function chooseTemplate(
  conversation: Conversation,
  named: NamedTemplate,
  inPrivate?: Conversation,
): Promise<NamedTemplate> {
  if (named.kind === 'TEMPLATE') {
    return named;
  }
  const { organizationId, id } = conversation;
  const templates = await readInteractiveTemplates(organizationId);
  const testId = templates.find((known) => known.id === named.id)?.abTestVariant?.testId;
  const active = templates.filter(
    ({ isActive, abTestVariant }) =>
      testId !== undefined && isActive && abTestVariant?.testId === testId,
  );
  const chosen =
    keptVariant(active, inPrivate) ??
    keptVariant(active, conversation) ??
    pickVariant(await variantsOf(organizationId, active), id);

  return chosen ? { id: chosen.id, kind: named.kind } : named;
}

function keptVariant(
  active: readonly Template[],
  conversation: Conversation | undefined,
): Template | undefined {
  return active.find(({ id }) => id === conversation?.template?.id);
}

type Variant = { readonly id: string; readonly weight: number };

/** Returns the variants with their current weights. */
async function variantsOf(
  organizationId: string,
  active: readonly Template[],
): Promise<readonly Variant[]> {
  const variants = active
    .map(({ id, abTestVariant }) => ({ id, weight: abTestVariant?.weight ?? 0 }))
    .filter(({ weight }) => weight > 0);
  if (variants.length < 2 || !isOptimized(active)) {
    return variants;
  }
  const ids = variants.map(({ id }) => id);
  const counts = await readAnswerCounts(organizationId, 'INTERACTIVE_TEMPLATE', ids);

  return optimized(variants, counts.map(resultsOf));
}

/** With fewer assignments, a difference between variants means little. */
const minAssignments = 100;

/**
 * With one draw, two equal variants drift far from an equal share in most tests. With 40 draws,
 * they stay between 35% and 65% in 19 of 20 tests.
 */
const draws = 40;

/**
 * Returns the weights by Thompson sampling: each conversation draws from the results of all
 * variants. It gets the variant that wins all draws, otherwise one by its configured weight. So a
 * better variant gets more conversations as the results become clearer. This calculates the shares
 * that the draws would have.
 */
export function optimized<V extends Variant>(
  variants: readonly V[],
  results: readonly Results[],
): readonly V[] {
  if (results.some(({ assignments }) => assignments < minAssignments)) {
    return variants;
  }
  const wins = probabilitiesBest(results).map((probability) => probability ** draws);
  const undecided = 1 - sumOf(wins);
  const total = sumOf(variants.map(({ weight }) => weight));

  return variants.map((variant, index) => ({
    ...variant,
    weight: (wins[index] ?? 0) + (undecided * variant.weight) / total,
  }));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Picks a variant by weight. A conversation always gets the same one while the variants are
 * unchanged.
 */
export function pickVariant<V extends Variant>(
  variants: readonly V[],
  conversationId: string,
): V | undefined {
  const inOrder = variants
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const total = sumOf(inOrder.map(({ weight }) => weight));
  let rest = hashToFraction(conversationId) * total;
  for (const variant of inOrder) {
    rest -= variant.weight;
    if (rest < 0) {
      return variant;
    }
  }

  return inOrder.at(-1);
}

/** Hashes a name to a stable number in [0, 1), evenly spread over names. */
function hashToFraction(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32;
}
