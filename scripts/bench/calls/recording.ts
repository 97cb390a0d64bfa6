import type { DeployedFunction } from '#scripts/build/generate/deployed-functions.ts';
import type { MeterRecord } from '#scripts/dynamodb-proxy/meter.ts';
import type { Figures } from '../golden/golden.ts';
import type { Exchange } from './exchange.ts';

/** A command to the table, by its name, and what came of it. */
export type TableAnswer = { readonly command: string; readonly output: unknown };

/** One realistic call of a function, with all that it said to others and was answered. */
export type Recording = {
  readonly function: DeployedFunction;
  readonly event: unknown;
  readonly exchanges: readonly Exchange[];
  readonly tableAnswers: readonly TableAnswer[];
  readonly meter: Cost;
};

/** What something cost at the table. */
export type Cost = Pick<MeterRecord, 'roundTrips' | 'readUnits' | 'writeUnits' | 'calls'>;

export type CostFigures = Required<Pick<Figures, 'trips' | 'readUnits' | 'writeUnits'>>;

export function figuresOf({ roundTrips: trips, readUnits, writeUnits }: Cost): CostFigures {
  return { trips, readUnits, writeUnits };
}

/** What a part of several functions cost by itself. */
export type PartRecording = { readonly name: string; readonly meter: Cost };
