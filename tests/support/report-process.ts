import { readFile } from 'node:fs/promises';
import { makeUsageReport } from '#lib/features/billing/usage/usage-report.ts';
import { newId } from '#lib/platform/ids.ts';

// Creates a report in a separate process and prints the peak memory use: `report-process.ts
// <organization> <from> <to> <format>`.
const [organizationId = '', startDate = '', endDate = '', format = 'csv'] = process.argv.slice(2);
const began = performance.now();
const { reportUrl } = await makeUsageReport(organizationId, newId(), {
  startDate,
  endDate,
  format: format === 'json' ? 'json' : 'csv',
});
process.stdout.write(
  JSON.stringify({
    reportUrl,
    tookMs: Math.round(performance.now() - began),
    cpuMs: Math.round(process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000),
    maxRssMb: Math.round((await peakKb()) / 1_024),
  }),
);

/** Reads /proc, because getrusage also counts the parent process. */
async function peakKb(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];

  return Number(peak ?? process.resourceUsage().maxRSS);
}
