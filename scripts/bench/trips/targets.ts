import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { DeployedFunction } from '#scripts/build/generate/deployed-functions.ts';

/** A function's maximum DynamoDB cost: round trips and units. */
export type Target = {
  readonly trips?: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
};

/** One read unit for authentication, and half a unit for up to 4 KB of counters. */
const statistics: Target = { trips: 2, readUnits: 1.5, writeUnits: 0 };

/** Functions whose target differs from the default of their kind. */
const special: Readonly<Record<string, Target>> = {
  'log-in': { trips: 3, readUnits: 1, writeUnits: 2 },
  'sign-up': { writeUnits: 12 },
  // Half a unit per shard of the index.
  'due-work': { trips: 1, readUnits: 2, writeUnits: 0 },
  // Ten, plus an entry in each of five indexes: all leads, and by pipeline, stage, status and
  // source.
  'create-lead': { trips: 2, writeUnits: 15 },
  'move-lead-stage': { trips: 2, writeUnits: 6 },
  'get-lead-stats': statistics,
  'get-lead-source-analytics': statistics,
  'get-lead-campaign-analytics': statistics,
  'get-lead-pipeline-analytics': statistics,
  // Reads the organization and its links in one round trip.
  'get-bio-page': { trips: 1, readUnits: 2, writeUnits: 0 },
  // Reads the link, then writes the visitor's claim and three counters in one transaction.
  'follow-bio-link': { trips: 3, readUnits: 1, writeUnits: 2 },
  'unknown-route': { trips: 0, readUnits: 0, writeUnits: 0 },
};

/** Targets of operations that several functions share. */
const parts: Readonly<Record<string, Target>> = {
  'debit, held': { trips: 1, readUnits: 0, writeUnits: 4 },
  // Afterwards, reads the balance to check whether credits are low.
  'debit, used': { trips: 2, readUnits: 2, writeUnits: 8 },
  'debit, given back': { trips: 1, readUnits: 0, writeUnits: 4 },
};

const untouched: Target = { trips: 0, readUnits: 0, writeUnits: 0 };
const read: Target = { trips: 2, readUnits: 2, writeUnits: 0 };
const list: Target = { trips: 3, writeUnits: 0 };
const write: Target = { trips: 2 };
const change: Target = { ...write, writeUnits: 6 };

export function targetOf({ name, event }: DeployedFunction): Target {
  const known = special[name];
  if (known) {
    return known;
  }
  const contract =
    event.kind === 'route'
      ? endpoints.find(({ method, path }) => method === event.method && path === event.path)
      : undefined;

  return contract ? targetOfEndpoint(contract) : {};
}

function targetOfEndpoint(contract: Contract): Target {
  const { method, access } = contract;
  if (method === 'GET') {
    if (access.kind === 'public') {
      return untouched;
    }

    return isList(contract) ? list : read;
  }

  return method === 'PATCH' ? change : write;
}

function isList({ operationId }: Contract): boolean {
  return operationId.startsWith('list');
}

export function targetOfPart(name: string): Target {
  return parts[name] ?? {};
}
