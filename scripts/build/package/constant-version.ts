import type { Plugin } from 'esbuild';
import { projectPath } from '#scripts/project.ts';
import project from '../../../package.json' with { type: 'json' };

const versionModule = projectPath('lib/platform/version.ts');

/**
 * Replaces the import of package.json with its version, because a bundle would contain the whole
 * file.
 */
export const constantVersion: Plugin = {
  name: 'constant-version',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]version\.ts$/ }, ({ path }) =>
      path === versionModule
        ? { contents: `export const version = ${JSON.stringify(project.version)};` }
        : undefined,
    );
  },
};
