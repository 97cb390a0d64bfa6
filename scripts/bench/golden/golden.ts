/** What is known of one function. What was not measured is left out. */
export type Figures = {
  readonly bundleBytes?: number;
  readonly importInstructions?: number;
  readonly trips?: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
};

export type Figure = keyof Figures;

/** The figures that a change has to answer for, by the functions' names. */
export type Golden = {
  /** Instructions are those of this Node, and are compared with no other's. */
  readonly node: string;
  readonly functions: Readonly<Record<string, Figures>>;
};

/** By how much a figure may rise, as a part of itself. */
const tolerances: Readonly<Record<Figure, number>> = {
  bundleBytes: 0.02,
  importInstructions: 0.02,
  trips: 0,
  readUnits: 0,
  writeUnits: 0,
};

const figureNames = Object.keys(tolerances) as readonly Figure[];

/** One line for each figure that has risen above what it may, and each function without figures. */
export function compareWithGolden(golden: Golden, measured: Golden): readonly string[] {
  const names = [
    ...new Set([...Object.keys(golden.functions), ...Object.keys(measured.functions)]),
  ];

  return names.toSorted().flatMap((name) => {
    const known = golden.functions[name];
    const now = measured.functions[name];
    if (!now && known?.bundleBytes === undefined) {
      // A part that functions share has no bundle: where bundles alone are measured, it is not.
      return [];
    }
    if (!now) {
      return [`${name} has figures in the golden file, and does not exist`];
    }

    return known
      ? rises(name, comparable(known, golden.node === measured.node), now)
      : [`${name} has no figures in the golden file`];
  });
}

/** Whether a figure is above what it may be. Where nothing is known, none is. */
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
 * What is measured, over what is known: a figure that could not be measured stays as it is, and so
 * does a part that functions share where only their bundles were measured.
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
