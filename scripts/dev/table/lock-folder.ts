import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = 'table.lock';

/** The locks of this process. A crashed process may have had the same process id. */
const held = new Set<string>();

/**
 * Locks a folder for this process. Throws if another process has locked it, because two tables that
 * append to one journal would lose each other's data. Ignores the lock of a crashed process.
 *
 * @returns a function that releases the lock.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, fileName);
  if (!isCreated(path)) {
    const owner = Number(readFileSync(path, 'utf8'));
    if (isOwnedBy(owner, path)) {
      throw new Error(
        `The data in ${folder} is in use by process ${owner}. Stop it, or set DATA_DIR to another folder.`,
      );
    }
    rmSync(path);

    return lockFolder(folder);
  }
  held.add(path);

  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}

function isCreated(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });

    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function isOwnedBy(owner: number, path: string): boolean {
  return owner === process.pid ? held.has(path) : owner > 0 && isRunning(owner);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process.
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
