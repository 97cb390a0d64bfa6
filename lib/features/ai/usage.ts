import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { count, type Write } from '#lib/platform/db/write.ts';

export type UsageOf = 'AGENT' | 'CAMPAIGN' | 'TEMPLATE' | 'INTERACTIVE_TEMPLATE';

/** Running totals of an agent, template or campaign. Averages are computed from them. */
export type Usage = {
  /** Campaigns only: messages in its conversations, in both directions. */
  readonly interactions?: number;
  /** Number of replies sent. */
  readonly uses?: number;
  readonly tests?: number;
  /** Total time from the customer's message to the reply, across all replies. */
  readonly responseMs?: number;
  readonly conversations?: number;
  readonly conversions?: number;
  /** Campaigns only: personal links that their customers followed. */
  readonly clicks?: number;
  readonly ratings?: number;
  readonly ratingSum?: number;
};

/** Adds to the metrics of a record. Include it in the transaction of the counted event. */
export function planUsageCount(
  organizationId: string,
  of: UsageOf,
  id: string,
  amounts: Usage,
): Write {
  return count(keys.aiUsage(organizationId, of, id), amounts);
}

/** Returns the metrics of each id, in order. Metrics that do not exist are empty. */
export async function readUsage(
  organizationId: string,
  of: UsageOf,
  ids: readonly string[],
): Promise<readonly Usage[]> {
  const found = await getMany<Usage>(ids.map((id) => keys.aiUsage(organizationId, of, id)));

  return found.map((figures) => figures ?? {});
}

function mean(sum = 0, number = 0, digits = 2): number {
  return number === 0 ? 0 : Number((sum / number).toFixed(digits));
}

/** Returns the mean response time in seconds, or 0 without replies. */
export function averageResponseTime({ responseMs = 0, uses }: Usage): number {
  return mean(responseMs / 1000, uses);
}

/** Returns the mean rating from 1 to 5, or 0 without ratings. */
export function satisfactionScore({ ratingSum, ratings }: Usage): number {
  return mean(ratingSum, ratings);
}

/**
 * Returns the percentage of conversations with a converted lead. Capped at 100, because one
 * conversation may produce several conversions.
 */
export function conversionRate({ conversions = 0, conversations = 0 }: Usage): number {
  return mean(100 * Math.min(conversions, conversations), conversations);
}
