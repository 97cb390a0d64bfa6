import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { count, type Write } from '#lib/platform/db/write.ts';

/** Whose work is counted. */
export type FiguresOf = 'AGENT' | 'CAMPAIGN' | 'TEMPLATE' | 'INTERACTIVE_TEMPLATE';

/** What an agent, a template or a campaign has done so far: sums, from which means are made. */
export type Figures = {
  /** Of a campaign: messages of its conversations, in both directions. */
  readonly interactions?: number;
  /** Replies sent. */
  readonly uses?: number;
  readonly tests?: number;
  /** From the customer's message to the reply, of all replies together. */
  readonly responseMs?: number;
  readonly conversations?: number;
  readonly conversions?: number;
  readonly ratings?: number;
  readonly ratingSum?: number;
};

/** Adds to what one of these has done. It goes into the transaction of what it did. */
export function countFigures(
  organizationId: string,
  of: FiguresOf,
  id: string,
  amounts: Figures,
): Write {
  return count(keys.aiFigures(organizationId, of, id), amounts);
}

/** The figures of each id, in their order; nothing has been done where there are none. */
export async function readFigures(
  organizationId: string,
  of: FiguresOf,
  ids: readonly string[],
): Promise<readonly Figures[]> {
  const found = await getMany<Figures>(ids.map((id) => keys.aiFigures(organizationId, of, id)));

  return found.map((figures) => figures ?? {});
}

function mean(sum = 0, number = 0, digits = 2): number {
  return number === 0 ? 0 : Number((sum / number).toFixed(digits));
}

/** Seconds, the mean of all replies; 0 where there are none. */
export function averageResponseTime({ responseMs = 0, uses }: Figures): number {
  return mean(responseMs / 1000, uses);
}

/** 1 to 5, the mean of all ratings; 0 where there are none. */
export function satisfactionScore({ ratingSum, ratings }: Figures): number {
  return mean(ratingSum, ratings);
}

/** Percent of the conversations whose lead was converted: at most 100, though one may bring several. */
export function conversionRate({ conversions = 0, conversations = 0 }: Figures): number {
  return mean(100 * Math.min(conversions, conversations), conversations);
}
