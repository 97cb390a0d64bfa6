import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { count, type Write } from '#lib/platform/db/write.ts';
import type { Results } from './probability-best.ts';

export type AnswerCountsOf = 'AGENT' | 'CAMPAIGN' | 'TEMPLATE' | 'INTERACTIVE_TEMPLATE';

/** Running totals of an agent, template or campaign. Averages are calculated from them. */
export type AnswerCounts = {
  /** Campaigns only: messages in its conversations, in both directions. */
  readonly interactions?: number;
  /** Number of replies sent. */
  readonly uses?: number;
  readonly tests?: number;
  /** Total time from the customer's message to the reply, across all replies. */
  readonly responseMs?: number;
  /**
   * Number of conversations that it answered first. For interactive templates: that it answered.
   */
  readonly conversations?: number;
  readonly conversions?: number;
  /** Campaigns only: number of followed personal links. */
  readonly clicks?: number;
  readonly ratings?: number;
  readonly ratingSum?: number;
};

/** Adds to the metrics of a record. Include it in the transaction of the counted event. */
export function planAnswerCounts(
  organizationId: string,
  of: AnswerCountsOf,
  id: string,
  amounts: AnswerCounts,
): Write {
  return count(campaignKeys.answerCounts(organizationId, of, id), amounts);
}

/** Returns the metrics of each id, in order. Metrics that do not exist are empty. */
export async function readAnswerCounts(
  organizationId: string,
  of: AnswerCountsOf,
  ids: readonly string[],
): Promise<readonly AnswerCounts[]> {
  const found = await getMany<AnswerCounts>(
    ids.map((id) => campaignKeys.answerCounts(organizationId, of, id)),
  );

  return found.map((counts) => counts ?? {});
}

function mean(sum = 0, number = 0): number {
  return number === 0 ? 0 : Number((sum / number).toFixed(2));
}

/** Returns the mean response time in seconds, or 0 without replies. */
export function averageResponseTime({ responseMs = 0, uses }: AnswerCounts): number {
  return mean(responseMs / 1000, uses);
}

/** Returns the mean rating from 1 to 5, or 0 without ratings. */
export function satisfactionScore({ ratingSum, ratings }: AnswerCounts): number {
  return mean(ratingSum, ratings);
}

/**
 * Returns the percentage of conversations with a converted lead. Capped at 100, because one
 * conversation may produce several conversions.
 */
export function conversionRate(counts: AnswerCounts): number {
  const { assignments, conversions } = resultsOf(counts);

  return mean(100 * conversions, assignments);
}

/** Returns the results of a variant of an A/B test. A conversation converts at most once. */
export function resultsOf({ conversions = 0, conversations = 0 }: AnswerCounts): Results {
  return { assignments: conversations, conversions: Math.min(conversions, conversations) };
}
