import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { builtinModulesInParts } from '#scripts/build/package/builtin-modules.ts';

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [builtinModulesInParts],
  });

  return outputFiles[0]?.text ?? '';
}

async function run(bundle: string): Promise<unknown> {
  const { answer } = await import(`data:text/javascript,${encodeURIComponent(bundle)}`);

  return answer;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('builtinModulesInParts', () => {
  it.each([
    ['a named import', "import { EOL } from 'node:os'; export const answer = EOL;", os.EOL],
    ['a default import', "import os from 'os'; export const answer = os.EOL;", os.EOL],
    [
      'a namespace import',
      "import * as path from 'node:path'; export const answer = path.sep;",
      path.sep,
    ],
    [
      'a subpath import',
      "import { sep } from 'path/posix'; export const answer = sep;",
      path.posix.sep,
    ],
    ['require', "export const answer = require('os').EOL;", os.EOL],
    ['a dynamic import', "export const answer = (await import('node:os')).EOL;", os.EOL],
  ])('returns the real module for %s', async (_, source, expected) => {
    expect(await run(await bundled(source))).toBe(expected);
  });

  it.each([
    ['one name', "import { readFileSync } from 'node:fs'; export const answer = readFileSync;"],
    ['a default', "import fs from 'node:fs'; export const answer = fs.readFileSync;"],
  ])('removes the import and reads only the used exports: %s', async (_, source) => {
    const bundle = await bundled(source);

    expect(bundle).not.toMatch(/^import|WriteStream|promises/m);
    expect(await run(bundle)).toBe(fs.readFileSync);
  });

  it('loads neither `fetch` nor WebSocket when the whole http module is passed on', async () => {
    const source = `import * as http from 'node:http';
      const all = http.default ?? http;
      export const answer = [all.STATUS_CODES, http];`;
    const read = vi.spyOn(http, 'WebSocket', 'get');
    const [statusCodes] = (await run(await bundled(source))) as readonly unknown[];

    expect(statusCodes).toBe(http.STATUS_CODES);
    expect(read).not.toHaveBeenCalled();
  });
});
