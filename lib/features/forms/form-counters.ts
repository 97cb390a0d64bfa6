import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { count, type Write } from '#lib/platform/db/write.ts';

/** So that concurrent submissions rarely update the same item. */
const counterShards = 8;

/** Counts a submission in the transaction that records it. */
export function planSubmissionCount(
  organizationId: string,
  formId: string,
  submissionId: string,
): Write {
  return count(leadKeys.formCounter(organizationId, formId, shardOf(submissionId, counterShards)), {
    submissions: 1,
  });
}

/** Returns the submissions of one form, or of each form of the organization, with one query. */
export async function readSubmissions(
  organizationId: string,
  formId?: string,
): Promise<ReadonlyMap<string, number>> {
  const counters = await query<{ submissions: number }>(
    leadRanges.formCounters(organizationId, formId),
  );
  const sums = new Map<string, number>();
  for (const { sk, submissions } of counters) {
    const id = sk.slice(0, sk.indexOf('#'));
    sums.set(id, (sums.get(id) ?? 0) + submissions);
  }

  return sums;
}
