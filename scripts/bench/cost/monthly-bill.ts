import { kebabCase } from '#schemas/contract.ts';
import { endpoints, workers } from '#schemas/index.ts';
import type { Golden } from '#scripts/bench/golden/golden.ts';
import { fixedLines, monthlyLine as line, type MonthlyLine, pollsPerMonth } from './bill-lines.ts';
import { lambdaSeconds } from './lambda-time.ts';
import { callsPerMessage, logBytesPerCall, usEast as prices } from './prices.ts';
import { costOf, days, load, organizations } from './table-cost.ts';

/** Values that no run measures. */
const assumed = {
  storedGb: 100,
  trafficBytesPerRequest: 5_000,
  mailsPerOrganizationAndDay: 2,
  tokensIn: 1_500,
  tokensOut: 150,
} as const;

const gb = 1_000_000_000;
const endpointNames: ReadonlySet<string> = new Set(
  endpoints.map(({ operationId }) => kebabCase(operationId)),
);

/** Calculates each line of the month's bill from the load, the golden file and the contracts. */
export function monthlyBill(golden: Golden): readonly MonthlyLine[] {
  const month = organizations * days;
  const { rows } = costOf(golden);
  const table = rows.at(-1) ?? { readUnits: 0, writeUnits: 0 };
  const calls = load.flatMap((one) => {
    const names = 'functions' in one ? one.functions : callsWithoutMetrics(one.what);

    return names.map((name) => ({ name, times: one.times * month }));
  });
  const total = (matches: (name: string) => boolean) =>
    calls.filter(({ name }) => matches(name)).reduce((sum, { times }) => sum + times, 0);
  const requests = total((name) => endpointNames.has(name));
  const allCalls = total(() => true);
  const ordered = total((name) => isQueue(name, true)) * callsPerMessage;
  const standard = total((name) => isQueue(name, false)) * callsPerMessage;
  const polls = pollsPerMonth(workers.length);
  const gbSeconds = calls.reduce(
    (sum, { name, times }) => sum + times * lambdaSeconds(golden, name),
    0,
  );
  const replies = total((name) => name === 'replies');
  const mails = assumed.mailsPerOrganizationAndDay * month;
  return [
    line('DynamoDB, writes', table.writeUnits * month, 'units', prices.writeUnits),
    line('DynamoDB, reads', table.readUnits * month, 'units', prices.readUnits),
    line('DynamoDB, storage and recovery', assumed.storedGb, 'GB', prices.storedGb),
    line('Lambda, time', gbSeconds, 'GB-seconds', prices.lambdaGbSecond),
    line('Lambda, calls', allCalls, 'calls', prices.lambdaCall),
    line('HTTP API', requests, 'requests', prices.gatewayCall),
    line('SQS, ordered queues', ordered, 'calls', prices.orderedQueueCall),
    line('SQS, other queues', standard + polls, 'calls', prices.standardQueueCall),
    line('CloudWatch, logs', (allCalls * logBytesPerCall) / gb, 'GB', prices.logGb),
    ...fixedLines(),
    line('SES', mails, 'emails', prices.mail),
    line('traffic', (requests * assumed.trafficBytesPerRequest) / gb, 'GB', prices.trafficGb),
    line('AI service, input', replies * assumed.tokensIn, 'tokens', prices.aiInput),
    line('AI service, output', replies * assumed.tokensOut, 'tokens', prices.aiOutput),
  ];
}

/** The calls whose units are not in the golden file. */
function callsWithoutMetrics(what: string): readonly string[] {
  return what === 'list leads' ? ['list-leads'] : [];
}

function isQueue(name: string, inOrder: boolean): boolean {
  return workers.some((worker) => worker.name === name && (worker.inOrder ?? false) === inOrder);
}
