import { type Contract, kebabCase } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { rateLimits } from '#schemas/rate-limits.ts';
import type { Golden } from '#scripts/bench/golden/golden.ts';
import { lambdaSeconds } from './lambda-time.ts';
import { usEast as prices } from './prices.ts';

export type Flood = { readonly what: string; readonly requests: number; readonly usd: number };

/** An instance writes to a shared counter once per share of 1%. */
const unitsPerRequest = (limit: number) => 1 / Math.max(1, Math.floor(limit / 100));

/** Write units that the counters of user and organization add to an average request. */
export const counterUnits =
  unitsPerRequest(rateLimits.requests.limit) +
  unitsPerRequest(rateLimits.organizationRequests.limit);

const minutes = 60;
/** The largest document, gzipped: the bundle of Swagger UI. */
const largestDocumentBytes = 460_000;
/** The gateway bills each 512 KB. Other responses are small, or limited by their units. */
const usualResponseBytes = 20_000;
const gb = 1_000_000_000;
/** The longest prompt and answer of one call of the AI service. */
const maxTokens = { input: 12_000, output: 800 } as const;

/** The highest bills that one client and one tenant can cause, from limits and measured units. */
export function floodBills(golden: Golden): readonly Flood[] {
  const { publicPages, webhooks, requests, organizationRequests, aiCalls } = rateLimits;
  const isMember = ({ access }: Contract) => access.kind === 'member';
  const isPage = ({ rateLimit }: Contract) => rateLimit === 'publicPages';
  const isWebhook = ({ rateLimit }: Contract) => rateLimit === 'webhooks';
  const flood = (what: string, perMinute: number, usdEach: number): Flood => ({
    what,
    requests: perMinute * minutes,
    usd: perMinute * minutes * usdEach,
  });
  const aiUsd = maxTokens.input * prices.aiInput + maxTokens.output * prices.aiOutput;

  return [
    flood('an IP, public pages', publicPages.limit, dearest(golden, isPage, usualResponseBytes)),
    flood('an IP, documents', publicPages.limit, documentUsd(golden)),
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
      usd: aiCalls.limit * aiUsd,
    },
  ];
}

/** The cost of one request to the most expensive of the endpoints. */
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
  return requestUsd(golden, 'get-docs-asset', largestDocumentBytes);
}

/** A forged delivery is rejected before anything is written. */
function forgedUsd(golden: Golden, matches: (contract: Contract) => boolean): number {
  const costs = endpoints
    .filter(matches)
    .map(({ operationId }) => callUsd(golden, kebabCase(operationId)));

  return Math.max(...costs) + unitsPerRequest(rateLimits.webhooks.limit) * prices.writeUnits;
}
