import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import {
  type DeployedFunction,
  deployedFunctions,
} from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { buildWeb } from '#scripts/build/web/build-web.ts';
import { projectPath } from '#scripts/project.ts';
import { assetFiles, type Bundle, bundleFunctions, sourceOf } from './build.ts';
import { checkLoadable } from './check-loadable.ts';

/** A bundle that was built and loaded, with its sources. */
type Entry = {
  readonly hash: string;
  readonly sources: readonly string[];
  readonly sizeBytes: number;
  readonly inputs: Readonly<Record<string, number>>;
};

type Cache = { readonly tools: string; readonly entries: Readonly<Record<string, Entry>> };

export type CachedBundles = {
  readonly bundles: readonly Bundle[];
  /** The number of bundles that had to be built. */
  readonly built: number;
  /** Bundles that failed to load. Bundles are cached only if all of them load. */
  readonly problems: readonly string[];
};

const defaultFolder = 'node_modules/.cache/bundles';
/** The tools that affect every bundle. The installation's lock file represents all packages. */
const tools = [
  'package.json',
  'tsconfig.json',
  'esbuild.config.ts',
  'node_modules/.package-lock.json',
  'scripts/build/package/**/*.ts',
];

/**
 * Bundles every function and loads it like Lambda, for checks. Skips archives and source maps, and
 * builds only bundles whose sources have changed since the last time.
 */
export async function cachedBundles(
  functions: readonly DeployedFunction[] = deployedFunctions(registry),
  folder = defaultFolder,
): Promise<CachedBundles> {
  await buildWeb();
  const index = projectPath(`${folder}/index.json`);
  const hashes = createHashes();
  const current = hashes.ofTools();
  const known = readEntries(index, current);
  const fresh = functions.filter((definition) => !isCurrent(known[keyOf(definition)], hashes));
  const { built, problems } = await build(fresh, folder, hashes);
  const entries = Object.fromEntries(
    functions.map(keyOf).flatMap((key) => {
      const entry = built[key] ?? known[key];

      return entry ? [[key, entry] as const] : [];
    }),
  );
  if (problems.length === 0) {
    mkdirSync(projectPath(folder), { recursive: true });
    writeFileSync(index, JSON.stringify({ tools: current, entries } satisfies Cache));
  }

  return {
    bundles: functions.map((definition) => bundleOf(definition, folder, entries)),
    built: fresh.length,
    problems,
  };
}

type Built = {
  readonly built: Cache['entries'];
  readonly problems: readonly string[];
};

async function build(
  functions: readonly DeployedFunction[],
  folder: string,
  hashes: Hashes,
): Promise<Built> {
  if (functions.length === 0) {
    return { built: {}, problems: [] };
  }
  const { bundles, metafile } = await bundleFunctions(functions, folder, { sourcemap: false });
  const built = bundles.map((bundle) => [
    keyOf(bundle.function),
    entryOf(bundle, metafile, hashes),
  ]);

  return { built: Object.fromEntries(built), problems: await checkLoadable(bundles) };
}

type Hashes = ReturnType<typeof createHashes>;

/** Reads each file once. A file that changes during the check gets a hash that never matches. */
function createHashes() {
  const startedMs = Date.now();
  const known = new Map<string, string>();
  const readHash = (path: string): string => {
    const stats = statSync(projectPath(path), { throwIfNoEntry: false });

    return !stats || stats.mtimeMs >= startedMs ? randomUUID() : digest(read(path));
  };
  const hashOf = (path: string): string => {
    const hash = known.get(path) ?? readHash(path);
    known.set(path, hash);

    return hash;
  };
  const of = (paths: readonly string[]) =>
    digest(paths.map((path) => `${path} ${hashOf(path)}`).join('\n'));

  return {
    of,
    ofTools: () =>
      digest(`${process.version} ${of(globSync(tools, { cwd: projectPath() }).sort())}`),
  };
}

function read(path: string): Buffer {
  return readFileSync(projectPath(path));
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url');
}

function readEntries(index: string, current: string): Cache['entries'] {
  if (!existsSync(index)) {
    return {};
  }
  const cache = JSON.parse(readFileSync(index, 'utf8')) as Cache;

  return cache.tools === current ? cache.entries : {};
}

function isCurrent(entry: Entry | undefined, hashes: Hashes): boolean {
  return entry !== undefined && entry.hash === hashes.of(entry.sources);
}

function entryOf(bundle: Bundle, metafile: Metafile, hashes: Hashes): Entry {
  const { sizeBytes, inputs, function: definition } = bundle;
  const sources = [
    ...sourcesFrom(sourceOf(definition), metafile),
    ...assetFiles(definition),
  ].sort();

  return { hash: hashes.of(sources), sources, sizeBytes, inputs };
}

/** Modules of plugins, named `<plugin>:<module>`. */
const virtual = /^[\w-]+:/;

/**
 * Returns the project files that a file imports, directly or indirectly, even if bundling removed
 * their content.
 */
function sourcesFrom(entry: string, { inputs }: Metafile): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const path of found) {
    for (const { path: imported, external } of inputs[path]?.imports ?? []) {
      if (!external && !imported.startsWith('node_modules/') && !virtual.test(imported)) {
        found.add(imported);
      }
    }
  }

  return found;
}

function bundleOf(definition: DeployedFunction, folder: string, entries: Cache['entries']): Bundle {
  const { sizeBytes = 0, inputs = {} } = entries[keyOf(definition)] ?? {};

  return {
    function: definition,
    path: projectPath(`${folder}/${keyOf(definition)}.mjs`),
    sizeBytes,
    inputs,
  };
}

function keyOf(definition: DeployedFunction): string {
  return sourceOf(definition).replace(/\.ts$/, '');
}
