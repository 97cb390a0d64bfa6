import { crc32, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '#scripts/build/package/zip.ts';

const entries = [
  {
    path: 'functions/auth/log-in.mjs',
    content: Buffer.from('export const handler = 1;'.repeat(99)),
  },
  { path: 'docs/ünïcode.json', content: Buffer.from('{}') },
  { path: 'docs/empty.txt', content: Buffer.alloc(0) },
];

type ReadEntry = {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  /** Date and time as stored, in the format of MS-DOS. */
  readonly modified: readonly [date: number, time: number];
};

/** January 1, 1980, at midnight. */
const earliest = [0x0021, 0] as const;

/** Reads an archive through its central directory, like any unzip program. */
function unzip(archive: Buffer): readonly ReadEntry[] {
  const end = archive.length - 22;
  const found: ReadEntry[] = [];
  let position = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(position + 28);
    const path = archive.toString('utf8', position + 46, position + 46 + nameLength);
    const start = archive.readUInt32LE(position + 42) + 30 + nameLength;
    const packed = archive.subarray(start, start + archive.readUInt32LE(position + 20));
    const content = inflateRawSync(packed);
    expect(crc32(content)).toBe(archive.readUInt32LE(position + 16));
    expect(content.length).toBe(archive.readUInt32LE(position + 24));
    found.push({
      path,
      content: content.toString(),
      mode: archive.readUInt32LE(position + 38) >>> 16,
      modified: [archive.readUInt16LE(position + 14), archive.readUInt16LE(position + 12)],
    });
    position += 46 + nameLength;
  }

  return found;
}

describe('zip', () => {
  it('stores every file under its path, readable by everyone, with a fixed date', async () => {
    expect(unzip(await zip(entries))).toEqual(
      entries
        .toSorted((a, b) => (a.path < b.path ? -1 : 1))
        .map(({ path, content }) => ({
          path,
          content: content.toString(),
          mode: 0o100644,
          modified: earliest,
        })),
    );
  });

  it('returns the same bytes for any order of the files', async () => {
    expect(await zip(entries.toReversed())).toEqual(await zip(entries));
  });

  it('returns other bytes when a file differs', async () => {
    const changed = [{ path: 'docs/empty.txt', content: Buffer.from('no longer') }];

    expect(await zip(changed)).not.toEqual(await zip(entries.slice(2)));
  });
});
