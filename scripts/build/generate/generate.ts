import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectPath } from '#scripts/project.ts';
import { generatedFiles, staleFiles } from './generated-files.ts';

const stale = staleFiles(generatedFiles());
for (const { path, content } of stale) {
  mkdirSync(dirname(projectPath(path)), { recursive: true });
  writeFileSync(projectPath(path), content);
  console.log(`written  ${path}`);
}
console.log(stale.length === 0 ? 'All generated files are up to date.' : 'Done.');
