import type { DeployedFunction } from '#scripts/build/generate/deployed-functions.ts';
import type { MeterRecord } from '#scripts/dynamodb-proxy/meter.ts';
import type { Metrics } from '../golden/golden.ts';
import type { Exchange } from './exchange.ts';

/** A DynamoDB command by name, and its output. */
export type TableAnswer = { readonly command: string; readonly output: unknown };

/** One realistic call of a function with all of its exchanges. */
export type Recording = {
  readonly function: DeployedFunction;
  readonly event: unknown;
  /** The time of the call by the clock of the recording. */
  readonly atMs: number;
  readonly exchanges: readonly Exchange[];
  readonly tableAnswers: readonly TableAnswer[];
  readonly meter: Cost;
};

/** The cost of the DynamoDB calls. */
export type Cost = Pick<MeterRecord, 'roundTrips' | 'readUnits' | 'writeUnits' | 'calls'>;

export type CostMetrics = Required<Pick<Metrics, 'trips' | 'readUnits' | 'writeUnits'>>;

export function metricsOf({ roundTrips: trips, readUnits, writeUnits }: Cost): CostMetrics {
  return { trips, readUnits, writeUnits };
}

/** The cost of an operation that several functions share. */
export type PartRecording = { readonly name: string; readonly meter: Cost };
