import type { LedgerEntry } from '#lib/features/billing/ledger/ledger.ts';
import { currency, dollarsOf } from '#lib/features/billing/money.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { csvHeader, csvRow } from '#lib/platform/csv/write-csv.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { saveFile } from '#lib/platform/storage/files.ts';
import type { createUsageReport } from '#schemas/billing.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { entriesOfRange } from './entries-of-range.ts';
import { dateOf, rangeOf, rangeProblems } from './time-range.ts';

const maxDays = 366;
const linkSeconds = 3_600;

export type ReportRequest = BodyOf<typeof createUsageReport>;

const columns = [
  'date',
  'type',
  'description',
  'credits',
  'amount',
  'currency',
  'paymentMethod',
  'reference',
  'id',
] as const;

/**
 * Creates a report of all credit movements in a range, newest first, and returns a link to it. The
 * file is streamed, so its size is not limited by memory. A report with the same id is overwritten.
 */
export async function makeUsageReport(
  organizationId: string,
  id: string,
  { startDate, endDate, format }: ReportRequest,
): Promise<{ readonly reportUrl: string; readonly expiresAt: string }> {
  const range = rangeOf(startDate, endDate);
  const entries = entriesOfRange(organizationId, range);
  const file = {
    key: `reports/${organizationId}/${id}.${format}`,
    contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    downloadName: `usage-${dateOf(range.fromMs)}-${dateOf(range.untilMs - 1)}.${format}`,
  };
  await saveFile(file, format === 'csv' ? csvOf(entries) : jsonOf(entries, { startDate, endDate }));
  const expiresAt = timestamp(linkSeconds * 1_000);

  return { reportUrl: await linkTo(file, linkSeconds), expiresAt };
}

/** Returns a problem if the range of a report ends before it begins or is longer than 366 days. */
export function reportProblems({ startDate, endDate }: Partial<ReportRequest>): readonly string[] {
  if (startDate === undefined || endDate === undefined) {
    return [];
  }
  const { fromMs, untilMs } = rangeOf(startDate, endDate);

  return untilMs - fromMs > maxDays * dayMs
    ? [`endDate must be at most ${maxDays} days after startDate`]
    : rangeProblems(startDate, endDate, ['startDate', 'endDate']);
}

type Batches = AsyncIterable<readonly LedgerEntry[]>;

async function* csvOf(batches: Batches): AsyncGenerator<string> {
  yield csvHeader(columns);
  for await (const entries of batches) {
    yield entries.map((entry) => csvRow(cellsOf(entry))).join('');
  }
}

function cellsOf(entry: LedgerEntry) {
  const { paymentMethod } = entry;

  return [
    entry.createdAt,
    entry.type,
    entry.description,
    entry.credits,
    dollarsOf(entry.amountCents ?? 0),
    currency,
    paymentMethod ? `${paymentMethod.brand} ${paymentMethod.last4}` : '',
    entry.reference,
    entry.id,
  ];
}

type Dates = Omit<ReportRequest, 'format'>;

/** Writes one JSON document. The totals come last because they are known only at the end. */
async function* jsonOf(batches: Batches, dates: Dates): AsyncGenerator<string> {
  const totals = { entries: 0, creditsAdded: 0, creditsUsed: 0, amountCents: 0 };
  const textOf = (entry: LedgerEntry): string => {
    totals.entries += 1;
    totals.creditsAdded += Math.max(0, entry.credits);
    totals.creditsUsed += Math.max(0, -entry.credits);
    totals.amountCents += entry.amountCents ?? 0;

    return `${totals.entries === 1 ? '' : ','}\n${JSON.stringify(rowOf(entry))}`;
  };
  yield `${JSON.stringify({ ...dates, currency }).slice(0, -1)},"entries":[`;
  for await (const entries of batches) {
    yield entries.map(textOf).join('');
  }
  const { amountCents, ...others } = totals;
  yield `\n],"totals":${JSON.stringify({ ...others, amount: dollarsOf(amountCents) })}}\n`;
}

function rowOf(entry: LedgerEntry) {
  return {
    date: entry.createdAt,
    type: entry.type,
    description: entry.description,
    credits: entry.credits,
    amount: dollarsOf(entry.amountCents ?? 0),
    paymentMethod: entry.paymentMethod ?? null,
    reference: entry.reference ?? null,
    id: entry.id,
  };
}
