import { reportBundles } from './bundles/report-bundles.ts';
import { type RecordedCalls, recordCalls } from './calls/record-calls.ts';
import { reportCold } from './cold/report-cold.ts';
import { readGolden } from './golden/golden-file.ts';
import { reportKeywords } from './keywords/report-keywords.ts';
import { reportLogin } from './login/report-login.ts';
import type { Section } from './section.ts';
import { reportTrips } from './trips/report-trips.ts';
import { reportWarm } from './warm/report-warm.ts';

type Report = (calls: () => Promise<RecordedCalls>, isQuick: boolean) => Promise<Section>;

const reports = {
  bundles: (_, isQuick) => reportBundles(isQuick),
  cold: async (calls, isQuick) => reportCold((await calls()).recordings, isQuick),
  warm: async (calls) => reportWarm((await calls()).recordings),
  trips: async (calls) => reportTrips(await calls()),
  keywords: async () => reportKeywords(),
  // Loaded when measured, because these modules create clients and loggers before `calls` sets the
  // URLs and the log level.
  knowledge: async () => (await import('./knowledge/report-knowledge.ts')).reportKnowledge(),
  cost: async () => (await import('./cost/report-cost.ts')).reportCost(),
  login: (_, isQuick) => reportLogin(isQuick),
} as const satisfies Record<string, Report>;

export type SectionName = keyof typeof reports;

/** The sections that call a function again with the recorded responses of vendors. */
const replaying: readonly SectionName[] = ['cold', 'warm'];

export const sectionNames = Object.keys(reports) as readonly SectionName[];

/** Measures the sections sequentially. The calls that several sections need are recorded once. */
export async function* measure(
  names: readonly SectionName[],
  isQuick: boolean,
): AsyncGenerator<Section> {
  let recorded: Promise<RecordedCalls> | undefined;
  const calls = (): Promise<RecordedCalls> => {
    recorded ??= recordCalls(readGolden()?.functions, {
      keepsExchanges: names.some((name) => replaying.includes(name)),
    });

    return recorded;
  };
  for (const name of names) {
    const report: Report = reports[name];
    yield await report(calls, isQuick);
  }
}
