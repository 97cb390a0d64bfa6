import { includedFiles, writeStaleFiles } from './generated-files.ts';
import { generateOpenapiFile } from './openapi.ts';
import { generatePostSettings } from './post-settings.ts';
import { registry } from './registry.ts';
import { generateTools } from './tools.ts';

const written = writeStaleFiles([
  ...includedFiles(),
  ...generateOpenapiFile(registry),
  generatePostSettings(),
  generateTools(registry.endpoints),
]);
for (const path of written) {
  console.log(`written  ${path}`);
}
console.log(written.length === 0 ? 'All generated files are up to date.' : 'Done.');
