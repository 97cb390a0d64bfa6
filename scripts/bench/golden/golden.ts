/** The metrics of one function. Metrics that were not measured are absent. */
export type Figures = {
  readonly bundleBytes?: number;
  readonly importInstructions?: number;
  readonly trips?: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
};

export type Figure = keyof Figures;

/** The reference metrics by function name. A change that raises one must be justified. */
export type Golden = {
  /** The Node version of the instruction counts, which are only comparable within one version. */
  readonly node: string;
  readonly functions: Readonly<Record<string, Figures>>;
};

/** The allowed increase per metric, as a fraction. */
const tolerances: Readonly<Record<Figure, number>> = {
  bundleBytes: 0.02,
  importInstructions: 0.02,
  trips: 0,
  readUnits: 0,
  writeUnits: 0,
};

const figureNames = Object.keys(tolerances) as readonly Figure[];

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
      // An operation that functions share has no bundle, so it is absent if only bundles were
      // measured.
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
export function hasRisen(known: Figures | undefined, now: Figures): boolean {
  return risenFigures(known ?? {}, now).length > 0;
}

function comparable(known: Figures, isSameNode: boolean): Figures {
  const { importInstructions, ...others } = known;

  return isSameNode ? known : others;
}

function rises(name: string, known: Figures, now: Figures): readonly string[] {
  return risenFigures(known, now).map(
    (figure) => `${name}: ${figure} rose from ${known[figure]} to ${now[figure]}`,
  );
}

function risenFigures(known: Figures, now: Figures): readonly Figure[] {
  return figureNames.filter((figure) => {
    const from = known[figure];
    const to = now[figure];

    return from !== undefined && to !== undefined && to > from * (1 + tolerances[figure]);
  });
}

/**
 * Merges new measurements into the golden file. Keeps metrics that could not be measured, and
 * shared operations if only bundles were measured.
 */
export function renewGolden(golden: Golden | undefined, measured: Golden): Golden {
  const isSameNode = golden?.node === measured.node;
  const shared = Object.entries(golden?.functions ?? {}).filter(
    ([, { bundleBytes }]) => bundleBytes === undefined,
  );
  const functions = Object.entries({ ...Object.fromEntries(shared), ...measured.functions }).map(
    ([name, now]) => {
      const known = comparable(golden?.functions[name] ?? {}, isSameNode);

      return [name, { ...known, ...now }] as const;
    },
  );

  return {
    node: measured.node,
    functions: Object.fromEntries(functions.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
