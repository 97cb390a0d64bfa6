import { makeUsageReport } from '#lib/billing/usage-report.ts';

// Makes a report in a process of its own, and says how much memory that took at the most:
// `report-process.ts <organization> <from> <to> <format>`.
const [organizationId = '', startDate = '', endDate = '', format = 'csv'] = process.argv.slice(2);
const began = performance.now();
const { reportUrl } = await makeUsageReport(organizationId, {
  startDate,
  endDate,
  format: format === 'json' ? 'json' : 'csv',
});
process.stdout.write(
  JSON.stringify({
    reportUrl,
    tookMs: Math.round(performance.now() - began),
    maxRssMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  }),
);
