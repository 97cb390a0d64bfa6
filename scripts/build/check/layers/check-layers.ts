import project from '../../../../package.json' with { type: 'json' };
import { vendors } from '../vendors.ts';
import { findCycles, type Graph } from './cycles.ts';
import { type Import, readImports } from './imports.ts';

/** A rule. An import breaks it if it matches all of its patterns. */
type Rule = {
  readonly name: string;
  readonly from: RegExp;
  readonly fromNot?: RegExp;
  readonly to?: RegExp;
  readonly toNot?: RegExp;
  readonly isForTypes?: boolean;
};

/** Each vendor's client may only be imported in one folder. */
const vendorRules = vendors.map(
  ({ package: name, adapter }): Rule => ({
    name: `only ${adapter} imports ${name}`,
    from: /^(?:functions|lib|schemas)\//,
    fromNot: new RegExp(`^${adapter}`),
    to: new RegExp(`^node_modules/${name}/`),
  }),
);

const rules: readonly Rule[] = [
  {
    name: 'functions do not import each other',
    from: /^functions\//,
    // Its tools are the functions of other endpoints.
    fromNot: /^functions\/mcp\//,
    to: /^functions\//,
  },
  {
    name: 'functions import only lib and schemas',
    from: /^functions\//,
    toNot: /^(?:functions|lib|schemas|node_modules)\/|^node:/,
  },
  {
    name: 'lib imports only lib and schemas',
    from: /^lib\//,
    // The version is in package.json.
    toNot: /^(?:lib|schemas|node_modules)\/|^node:|^package\.json$/,
  },
  {
    name: 'schemas import only zod and schemas',
    from: /^schemas\//,
    toNot: /^(?:schemas|node_modules\/zod)\//,
  },
  {
    name: 'lib/platform imports neither vendors nor features',
    from: /^lib\/platform\//,
    to: /^lib\/(?:vendors|features)\//,
  },
  {
    name: 'only tests and scripts import the keys of all areas together',
    from: /^(?:functions|lib)\//,
    to: /^lib\/platform\/db\/keys\.ts$/,
  },
  {
    name: 'lib/vendors imports no features',
    from: /^lib\/vendors\//,
    to: /^lib\/features\//,
  },
  {
    name: 'of lib, packages/web imports only how keywords match, how CSV is read and written, and how long a post is',
    from: /^packages\/web\//,
    to: /^lib\//,
    toNot:
      /^lib\/(?:features\/campaigns\/keyword-matcher|platform\/csv\/(?:read|write)-csv|vendors\/networks\/text-(?:length|problem))\.ts$/,
  },
  {
    name: 'packages/sandbox imports nothing of the service',
    from: /^packages\/sandbox\//,
    toNot: /^packages\/sandbox\/|^node_modules\/(?:jose|zod)\/|^node:/,
  },
  {
    name: 'scripts do not import tests',
    from: /^scripts\//,
    to: /^tests\//,
  },
  {
    name: 'deployed code imports only dependencies',
    from: /^(?:functions|lib|schemas)\//,
    to: /^node_modules\//,
    toNot: new RegExp(`^node_modules/(?:${Object.keys(project.dependencies).join('|')})/`),
    isForTypes: false,
  },
  ...vendorRules,
];

/** Finds imports that break a layer rule, and circular imports. */
export function checkLayers(imports: readonly Import[] = readImports()): string[] {
  const broken = imports.flatMap((one) =>
    rules
      .filter((rule) => isBroken(rule, one))
      .map(({ name }) => `${one.from} imports ${one.to}: ${name}`),
  );

  return [
    ...broken,
    ...findCycles(filesOf(imports)).map((files) => `files in a circle: ${around(files)}`),
    ...findCycles(foldersOf(imports)).map(
      (folders) => `no folders of lib import each other: ${around(folders)}`,
    ),
  ];
}

function isBroken(
  { from, fromNot, to, toNot, isForTypes = true }: Rule,
  { from: importer, to: imported, isTypeOnly }: Import,
): boolean {
  return (
    from.test(importer) &&
    !fromNot?.test(importer) &&
    (to?.test(imported) ?? true) &&
    !toNot?.test(imported) &&
    (isForTypes || !isTypeOnly)
  );
}

/** Excluded because it loads pages on demand, and pages link to areas. */
const areasOfWebApp = 'packages/web/src/frame/areas.ts';

/**
 * Type imports count: files that need each other's types cannot be understood separately either.
 */
function filesOf(imports: readonly Import[]): Graph {
  return graphOf(
    imports.filter(({ from }) => from !== areasOfWebApp).map(({ from, to }) => [from, to] as const),
  );
}

/**
 * Compares folders of every depth, so features are compared as a whole. An import counts for all
 * folders that contain one of its files, but not the other.
 */
function foldersOf(imports: readonly Import[]): Graph {
  return graphOf(
    imports
      .filter(({ from, to }) => from.startsWith('lib/') && to.startsWith('lib/'))
      .flatMap(({ from, to }) =>
        foldersOfOnly(from, to).flatMap((folder) =>
          foldersOfOnly(to, from).map((other) => [folder, other] as const),
        ),
      ),
  );
}

function foldersOfOnly(path: string, other: string): readonly string[] {
  return parentsOf(path).filter((folder) => !other.startsWith(`${folder}/`));
}

function graphOf(edges: ReadonlyArray<readonly [from: string, to: string]>): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }

  return graph;
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);

  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function around(nodes: readonly string[]): string {
  return [...nodes, nodes[0]].join(' → ');
}
