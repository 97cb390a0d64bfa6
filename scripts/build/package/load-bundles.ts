import { pathToFileURL } from 'node:url';

/**
 * Loads the given bundles like Lambda, and reports bundles that have no handler or fail to load.
 * Runs in a separate process, because loaded bundles stay in memory.
 */
const failures: string[] = [];
for (const path of process.argv.slice(2)) {
  try {
    const { handler } = await import(pathToFileURL(path).href);
    if (typeof handler !== 'function') {
      failures.push(`${path} exports no handler`);
    }
  } catch (failure) {
    failures.push(`${path} can't be loaded: ${String(failure)}`);
  }
}
console.log(failures.join('\n'));
process.exit(failures.length === 0 ? 0 : 1);
