import { pathToFileURL } from 'node:url';

/**
 * Loads the bundles that are named to it, as Lambda does, and says which have no handler or cannot be
 * loaded. In a process of its own, as loading them leaves much behind.
 */
const failures: string[] = [];
for (const path of process.argv.slice(2)) {
  try {
    const { handler } = await import(pathToFileURL(path).href);
    if (typeof handler !== 'function') {
      failures.push(`${path} exports no handler`);
    }
  } catch (failure) {
    failures.push(`${path} cannot be loaded: ${String(failure)}`);
  }
}
console.log(failures.join('\n'));
process.exit(failures.length === 0 ? 0 : 1);
