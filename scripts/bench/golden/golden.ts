/** The metrics of one function. Metrics that were not measured are absent. */
export type Metrics = {
  readonly bundleBytes?: number;
  readonly importInstructions?: number;
  readonly trips?: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
};

export type Metric = keyof Metrics;

/** The reference metrics by function name. A change that raises one must be justified. */
export type Golden = {
  /** The Node version of the instruction counts, which are only comparable within one version. */
  readonly node: string;
  readonly functions: Readonly<Record<string, Metrics>>;
};

/** The allowed increase per metric, as a fraction. */
const tolerances: Readonly<Record<Metric, number>> = {
  bundleBytes: 0.02,
  importInstructions: 0.02,
  trips: 0,
  readUnits: 0,
  writeUnits: 0,
};

const metricNames = Object.keys(tolerances) as readonly Metric[];

/**
 * Returns one line for each metric above its allowed value and for each function without metrics.
 */
export function compareWithGolden(golden: Golden, measured: Golden): readonly string[] {
  const names = [
    ...new Set([...Object.keys(golden.functions), ...Object.keys(measured.functions)]),
  ];

  return names.toSorted().flatMap((name) => {
    const known = golden.functions[name];
    const now = measured.functions[name];
    if (!now && known?.bundleBytes === undefined) {
      // An operation that several functions share has no bundle, so it is absent if only bundles
      // were measured.
      return [];
    }
    if (!now) {
      return [`${name} has metrics in the golden file but no longer exists`];
    }

    return known
      ? rises(name, comparable(known, golden.node === measured.node), now)
      : [`${name} has no metrics in the golden file`];
  });
}

/** True if a metric is above its allowed value. Unknown metrics never are. */
export function hasRisen(known: Metrics | undefined, now: Metrics): boolean {
  return risenMetrics(known ?? {}, now).length > 0;
}

function comparable(known: Metrics, isSameNode: boolean): Metrics {
  const { importInstructions, ...others } = known;

  return isSameNode ? known : others;
}

function rises(name: string, known: Metrics, now: Metrics): readonly string[] {
  return risenMetrics(known, now).map(
    (metric) => `${name}: ${metric} rose from ${known[metric]} to ${now[metric]}`,
  );
}

function risenMetrics(known: Metrics, now: Metrics): readonly Metric[] {
  return metricNames.filter((metric) => {
    const from = known[metric];
    const to = now[metric];

    return from !== undefined && to !== undefined && to > from * (1 + tolerances[metric]);
  });
}

/**
 * Merges new measurements into the golden file. Keeps metrics that could not be measured or changed
 * within their tolerance, and shared operations if only bundles were measured.
 */
export function renewGolden(golden: Golden | undefined, measured: Golden): Golden {
  const isSameNode = golden?.node === measured.node;
  const shared = Object.entries(golden?.functions ?? {}).filter(
    ([, { bundleBytes }]) => bundleBytes === undefined,
  );
  const functions = Object.entries({ ...Object.fromEntries(shared), ...measured.functions }).map(
    ([name, now]) => {
      const known = comparable(golden?.functions[name] ?? {}, isSameNode);

      return [name, merged(known, now)] as const;
    },
  );

  return {
    node: measured.node,
    functions: Object.fromEntries(functions.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Merges metrics in a fixed order, so that the file does not depend on the order of measurements. */
function merged(known: Metrics, now: Metrics): Metrics {
  return Object.fromEntries(
    metricNames.flatMap((metric) => {
      const [from, to = from] = [known[metric], now[metric]];
      if (from === undefined || to === undefined) {
        return to === undefined ? [] : [[metric, to] as const];
      }
      const isSame = Math.abs(to - from) <= from * tolerances[metric];

      return [[metric, isSame ? from : to] as const];
    }),
  );
}
