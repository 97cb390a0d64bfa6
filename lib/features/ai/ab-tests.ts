import { requireFound } from '#lib/platform/errors/failures.ts';
import { conversionRate, readAnswerCounts, resultsOf } from './answer-counts.ts';
import { probabilitiesBest } from './probability-best.ts';
import { readInteractiveTemplates, type Template } from './template.ts';

/** True if the results decide how many conversations each active variant gets. */
export function isOptimized(active: readonly Template[]): boolean {
  return active.every(({ abTestVariant }) => abTestVariant?.optimize === true);
}

/**
 * Returns the results of an A/B test, including its inactive variants.
 *
 * @throws 404
 */
export async function requireAbTest(organizationId: string, testId: string) {
  const all = await readInteractiveTemplates(organizationId);
  const templates = all.filter(({ abTestVariant }) => abTestVariant?.testId === testId);
  requireFound(templates[0], 'A/B test');
  const ids = templates.map(({ id }) => id);
  const counts = await readAnswerCounts(organizationId, 'INTERACTIVE_TEMPLATE', ids);
  const probabilities = probabilitiesBest(counts.map(resultsOf));
  const variants = templates.map(({ id, abTestVariant }, index) => {
    const metrics = counts[index] ?? {};

    return {
      templateId: id,
      weight: abTestVariant?.weight ?? 0,
      ...resultsOf(metrics),
      conversionRate: conversionRate(metrics),
      probabilityBest: probabilities[index] ?? 0,
    };
  });

  return { id: testId, variants };
}
