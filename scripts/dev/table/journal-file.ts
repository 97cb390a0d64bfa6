import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from './lock-folder.ts';
import type { Journal, JournalEntry } from './store.ts';

const fileName = 'table.jsonl';
const chunkBytes = 1_024 * 1_024;
const newline = '\n'.charCodeAt(0);

/**
 * A journal in a file of the folder, with one line of JSON per change. A line is written before its
 * change is acknowledged, so a crash of this process loses nothing. A power failure may. Only one
 * process at a time can open the folder.
 */
export function openJournal(folder: string): Journal & { readonly close: () => void } {
  mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  const path = join(folder, fileName);
  let file: number | undefined;

  return {
    read: () => readEntries(path),
    rewrite: (entries) => {
      const next = openSync(`${path}.new`, 'w');
      for (const entry of entries) {
        writeLine(next, entry);
      }
      renameSync(`${path}.new`, path);
      file = next;
    },
    append: (entry) => {
      if (file === undefined) {
        throw new Error('The journal is closed.');
      }
      appendLine(file, entry);
    },
    close: () => {
      if (file !== undefined) {
        closeSync(file);
        file = undefined;
      }
      unlock();
    },
  };
}

/** Removes a partly written line, because more lines may follow. */
function appendLine(file: number, entry: JournalEntry): void {
  const { size } = fstatSync(file);
  try {
    writeLine(file, entry);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

function writeLine(file: number, entry: JournalEntry): void {
  const bytes = Buffer.from(`${JSON.stringify(entry)}\n`);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}

function* readEntries(path: string): Generator<JournalEntry, void, undefined> {
  let number = 0;
  for (const line of readLines(path)) {
    number += 1;
    try {
      yield JSON.parse(line);
    } catch (cause) {
      throw new Error(`${path} is damaged at line ${number}. Move it away to start without data.`, {
        cause,
      });
    }
  }
}

/** Yields all complete lines. After a crash, the last line can be incomplete. */
function* readLines(path: string): Generator<string, void, undefined> {
  if (!existsSync(path)) {
    return;
  }
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    const chunk = Buffer.alloc(chunkBytes);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      let unread = Buffer.concat([rest, chunk.subarray(0, bytes)]);
      for (let end = unread.indexOf(newline); end >= 0; end = unread.indexOf(newline)) {
        yield unread.toString('utf8', 0, end);
        unread = unread.subarray(end + 1);
      }
      rest = unread;
    }
  } finally {
    closeSync(file);
  }
}
