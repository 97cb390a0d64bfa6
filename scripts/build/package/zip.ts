import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A file in an archive. `path` uses slashes and is relative. */
export type ZipEntry = { readonly path: string; readonly content: Buffer };

const options = {
  // The format's earliest date in any time zone, so the same files always produce the same archive.
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  // A regular file that everyone can read, as Lambda requires.
  mode: 0o100644,
  compressionLevel: 9,
} as const;

/** Creates a deterministic ZIP archive. Entries are sorted by path. */
export function zip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { path, content } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    archive.addBuffer(content, path, options);
  }
  archive.end();

  return buffer(archive.outputStream);
}
