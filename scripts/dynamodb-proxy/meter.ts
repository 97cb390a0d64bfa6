import { countRoundTrips, type Span } from './round-trips.ts';

/** A request that reached the proxy. */
type MeteredCall = Span & {
  readonly operation: string;
  /** The keys in the request as `pk/sk`. For a query, the values of its key condition. */
  readonly keys: readonly string[];
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** The outcome for the caller: `ok`, an error name, or `nothing`. */
  readonly outcome: string;
  readonly readUnits: number;
  /** Includes the table and its indexes. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  /** The table's write units per item, without the indexes. */
  readonly itemWrites: readonly ItemWrite[];
};

/** `key` as `pk/sk`. */
export type ItemWrite = { readonly key: string; readonly units: number };

export type MeterRecord = {
  readonly calls: readonly MeteredCall[];
  readonly callCount: number;
  /** How many times the caller had to wait. Concurrent calls count once. */
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
};

export type Meter = {
  /** Meters all calls without a scope while `work` runs. Only one measurement at a time. */
  readonly measure: (work: () => Promise<unknown>) => Promise<MeterRecord>;
  /** Returns the previous calls with this scope in the `x-meter-scope` header. */
  readonly record: (scope: string) => MeterRecord;
  /** Deletes a scope. */
  readonly forget: (scope: string) => void;
};

export type MeterSheet = { readonly calls: MeteredCall[]; readonly pending: Set<Promise<unknown>> };

export type MeterBook = Meter & {
  /** The sheet that records a call, or undefined if it is not metered. */
  readonly sheetFor: (scope: string | undefined) => MeterSheet | undefined;
};

export const scopeHeader = 'x-meter-scope';

export function createMeter(): MeterBook {
  const scopes = new Map<string, MeterSheet>();
  let current: MeterSheet | undefined;

  async function measure(work: () => Promise<unknown>): Promise<MeterRecord> {
    if (current !== undefined) {
      throw new Error(
        `A measurement is already running. Use the ${scopeHeader} header for concurrent ones.`,
      );
    }
    const sheet = createSheet();
    current = sheet;
    try {
      await work();
    } finally {
      current = undefined;
    }
    await Promise.allSettled(sheet.pending);

    return summarize(sheet);
  }

  function sheetFor(scope: string | undefined): MeterSheet | undefined {
    if (scope === undefined) {
      return current;
    }
    const sheet = scopes.get(scope) ?? createSheet();
    scopes.set(scope, sheet);

    return sheet;
  }

  return {
    measure,
    sheetFor,
    record: (scope) => summarize(scopes.get(scope) ?? createSheet()),
    forget: (scope) => {
      scopes.delete(scope);
    },
  };
}

function createSheet(): MeterSheet {
  return { calls: [], pending: new Set() };
}

function summarize({ calls }: MeterSheet): MeterRecord {
  return {
    calls: [...calls],
    callCount: calls.length,
    roundTrips: countRoundTrips(calls),
    readUnits: calls.reduce((total, call) => total + call.readUnits, 0),
    writeUnits: calls.reduce((total, call) => total + call.writeUnits, 0),
  };
}
