import { type Contract, kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { rateLimits } from '#schemas/rate-limits.ts';
import type { Golden } from '#scripts/bench/golden/golden.ts';
import { lambdaSeconds, ownMs, tripMs } from './lambda-time.ts';
import { callsPerMessage, logBytesPerCall, usEast as prices } from './prices.ts';

export type Flood = { readonly what: string; readonly requests: number; readonly usd: number };

/** An instance writes to a shared counter once per share of 1%. */
export const unitsPerRequest = (limit: number) => 1 / Math.max(1, Math.floor(limit / 100));

/** The write units that the counters of user and organization add to an average request. */
export const counterUnits =
  unitsPerRequest(rateLimits.requests.limit) +
  unitsPerRequest(rateLimits.organizationRequests.limit);

const minutes = 60;
/** The largest document without compression: the bundle of Swagger UI. */
const largestDocumentBytes = 1_750_000;
/**
 * The gateway bills in units of 512 KB. Other responses are small, or limited by their read units.
 */
const usualResponseBytes = 20_000;
const gb = 1_000_000_000;
/** The longest prompt and answer of one call to the AI service. */
const maxTokens = { input: 12_000, output: 800 } as const;
const aiCallUsd = maxTokens.input * prices.aiInput + maxTokens.output * prices.aiOutput;
const gatewayUnitBytes = 512_000;
/** The wait for the AI service, and for any other vendor. */
const aiWaitMs = 6_000;
const otherWaitMs = 2_000;

/** The resources that a real flood of requests used, including its workers. */
export type Used = {
  /** Calls to endpoints and workers. */
  readonly calls: number;
  readonly messages: number;
  readonly trips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly responseBytes: number;
  readonly mails: number;
  readonly aiCalls: number;
  /** Calls to networks and to the payment provider. */
  readonly otherVendorCalls: number;
  readonly memoryMb: number;
  /** CPU time in addition to the time of the round trips. */
  readonly busyMs: number;
};

/** The price of a flood, with the longest prompts and answers. */
export function usdOf(used: Used): number {
  const ms =
    used.calls * ownMs +
    used.trips * tripMs +
    used.aiCalls * aiWaitMs +
    used.otherVendorCalls * otherWaitMs +
    used.busyMs;

  return (
    used.readUnits * prices.readUnits +
    used.writeUnits * prices.writeUnits +
    (ms / 1_000) * (used.memoryMb / 1_024) * prices.lambdaGbSecond +
    used.calls * prices.lambdaCall +
    (used.calls + used.responseBytes / gatewayUnitBytes) * prices.gatewayCall +
    used.messages * callsPerMessage * prices.orderedQueueCall +
    ((used.calls * logBytesPerCall) / gb) * prices.logGb +
    (used.responseBytes / gb) * prices.trafficGb +
    used.mails * prices.mail +
    used.aiCalls * aiCallUsd
  );
}

/**
 * The highest bills that one client and one organization can cause, from limits and measured units.
 */
export function floodBills(golden: Golden): readonly Flood[] {
  const { publicPages, documents, webhooks, requests, organizationRequests, aiCalls } = rateLimits;
  const isMember = ({ access }: Contract) => access.kind === 'member';
  const isPage = ({ rateLimit }: Contract) => rateLimit === 'publicPages';
  const isWebhook = ({ rateLimit }: Contract) => rateLimit === 'webhooks';
  const flood = (what: string, perMinute: number, usdEach: number): Flood => ({
    what,
    requests: perMinute * minutes,
    usd: perMinute * minutes * usdEach,
  });

  return [
    flood('an IP, public pages', publicPages.limit, dearest(golden, isPage, usualResponseBytes)),
    flood('an IP, documents', documents.limit, documentUsd(golden)),
    flood('an IP, forged webhooks', webhooks.limit, forgedUsd(golden, isWebhook)),
    flood('a user or key', requests.limit, dearest(golden, isMember, usualResponseBytes)),
    flood(
      'a tenant, requests',
      organizationRequests.limit,
      dearest(golden, isMember, usualResponseBytes),
    ),
    {
      what: 'a tenant, AI service (a whole day in one hour)',
      requests: aiCalls.limit,
      usd: aiCalls.limit * aiCallUsd,
    },
  ];
}

/** The cost of one request to the most expensive matching endpoint. */
function dearest(golden: Golden, matches: (contract: Contract) => boolean, bytes: number): number {
  const costs = endpoints
    .filter(matches)
    .map(({ operationId }) => requestUsd(golden, kebabCase(operationId), bytes));

  return Math.max(...costs);
}

function requestUsd(golden: Golden, name: string, bytes: number): number {
  const { readUnits = 0, writeUnits = 0 } = golden.functions[name] ?? {};

  return (
    readUnits * prices.readUnits +
    (writeUnits + counterUnits) * prices.writeUnits +
    callUsd(golden, name) +
    (bytes / gb) * prices.trafficGb
  );
}

function callUsd(golden: Golden, name: string): number {
  return (
    prices.gatewayCall + prices.lambdaCall + lambdaSeconds(golden, name) * prices.lambdaGbSecond
  );
}

function documentUsd(golden: Golden): number {
  const units = largestDocumentBytes / gatewayUnitBytes;

  return (
    requestUsd(golden, 'get-docs-asset', largestDocumentBytes) + (units - 1) * prices.gatewayCall
  );
}

/** The cost of a forged delivery, which is rejected before anything is written. */
function forgedUsd(golden: Golden, matches: (contract: Contract) => boolean): number {
  const costs = endpoints
    .filter(matches)
    .map(({ operationId }) => callUsd(golden, kebabCase(operationId)));

  return Math.max(...costs) + unitsPerRequest(rateLimits.webhooks.limit) * prices.writeUnits;
}
