import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { type BuildOptions, type BuildResult, build, context, stop } from 'esbuild';
import { appFolder } from '#schemas/app.ts';
import { projectPath } from '#scripts/project.ts';

const source = 'packages/web/src';
const page = `${appFolder}/index.html`;

const options = {
  absWorkingDir: projectPath(),
  entryPoints: [`${source}/main.tsx`, `${source}/styles/app.css`, `${source}/icon.svg`],
  outdir: appFolder,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  // Browsers of the last two and a half years.
  target: ['chrome123', 'firefox125', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Builds the web app into `packages/web/dist`, unless the build is newer than all sources. */
export async function buildWeb(): Promise<void> {
  if (isCurrent()) {
    return;
  }
  writeApp(await build(options));
}

/**
 * Builds the web app again after each change of a source. Pages that were opened after the first
 * change reload themselves.
 */
export async function watchWeb(): Promise<{ readonly close: () => Promise<void> }> {
  // Built alone, so that it does not change the app's files, which another stack may be serving.
  const reloading = await build({ ...options, entryPoints: [`${source}/reload.ts`] });
  const first = Promise.withResolvers<void>();
  let isFirst = true;
  const watched = await context({
    ...options,
    plugins: [
      {
        name: 'page',
        setup: ({ onEnd }) =>
          onEnd(({ errors, ...result }) => {
            if (errors.length === 0) {
              writeApp(result, isFirst ? undefined : reloading);
            }
            isFirst = false;
            first.resolve();
          }),
      },
    ],
  });
  await watched.watch();
  await first.promise;

  return {
    close: async () => {
      await watched.dispose();
      await stop();
    },
  };
}

/** Returns the names of all assets. */
export function builtAssets(): readonly string[] {
  return readdirSync(projectPath(appFolder)).filter((name) => name !== 'index.html');
}

type Built = Pick<BuildResult, 'metafile' | 'outputFiles'>;

/** Writes the app and its page, which reloads itself if that code is given. */
function writeApp(app: Built, reloading?: Built): void {
  for (const { path, contents } of [app, reloading].flatMap((built) => built?.outputFiles ?? [])) {
    writeNew(path, contents);
  }
  const outputs = [app, reloading].flatMap((built) =>
    Object.entries(built?.metafile?.outputs ?? {}),
  );
  const addressOf = (entry: string) => {
    const [path] = outputs.find(([, { entryPoint }]) => entryPoint === `${source}/${entry}`) ?? [];

    return path && `/app/assets/${path.slice(appFolder.length + 1)}`;
  };
  const main = outputs.find(([, { entryPoint }]) => entryPoint === `${source}/main.tsx`)?.[1];
  const chunks = (main?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `/app/assets/${path.slice(appFolder.length + 1)}`);
  const icon = outputs.map(([path]) => path).find((path) => path.includes('/icon-'));
  const lines = [
    `<link rel="icon" href="/app/assets/${icon?.slice(appFolder.length + 1)}" type="image/svg+xml">`,
    `<link rel="stylesheet" href="${addressOf('styles/app.css')}">`,
    ...chunks.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${addressOf('main.tsx')}"></script>`,
    ...(reloading ? [`<script type="module" src="${addressOf('reload.ts')}"></script>`] : []),
  ];
  const template = readFileSync(projectPath(`packages/web/index.html`), 'utf8');
  const current = outputs.map(([path]) => path.slice(appFolder.length + 1));
  for (const stale of builtAssets().filter((name) => !current.includes(name))) {
    rmSync(projectPath(`${appFolder}/${stale}`));
  }
  const html = template.replace('<!-- assets -->', lines.join('\n    '));
  writeNew(projectPath(page), Buffer.from(html));
}

/** Writes a file in one step, unless it has this content: another stack may be serving it. */
function writeNew(path: string, content: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(content)) {
    utimesSync(path, new Date(), new Date());

    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  // Outside of the folder, in which another build removes what it does not know.
  const temporary = `${dirname(dirname(path))}/.${basename(path)}-${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

function isCurrent(): boolean {
  const isBuilt = existsSync(projectPath(page));
  // A build by `npm start` contains the code that reloads pages, so it is not used.
  if (!isBuilt || readFileSync(projectPath(page), 'utf8').includes('/reload-')) {
    return false;
  }
  const builtMs = statSync(projectPath(page)).mtimeMs;
  const sources = globSync(
    [
      'packages/{web,sdk}/src/**/*.*',
      'lib/{features/campaigns,platform,platform/csv,vendors/networks,vendors/networks/x}/*.ts',
      'packages/web/index.html',
      'package-lock.json',
      'scripts/build/web/*',
    ],
    { cwd: projectPath() },
  );

  return sources.every((path) => statSync(projectPath(path)).mtimeMs < builtMs);
}
