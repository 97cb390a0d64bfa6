import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. `path` uses slashes and is relative. */
export type ZipEntry = { readonly path: string; readonly content: Uint8Array };

type Packed = {
  readonly name: Buffer;
  readonly checksum: number;
  readonly size: number;
  readonly compressed: Buffer;
  readonly offset: number;
};

const signatures = { file: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 } as const;
const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;
const deflated = 8;
/**
 * January 1, 1980, the format's earliest date, so the same files always produce the same archive.
 */
const date = 0x0021;
const madeOnUnix = (3 << 8) | version;
/** A regular file that everyone can read, as Lambda requires. */
const attributes = (0o100644 << 16) >>> 0;

/** Creates a deterministic ZIP archive. Entries are sorted by path. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const ordered = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts: Buffer[] = [];
  const packed: Packed[] = [];
  let offset = 0;
  for (const { path, content } of ordered) {
    const file = {
      name: Buffer.from(path),
      checksum: crc32(content),
      size: content.length,
      compressed: deflateRawSync(content, { level: 9 }),
      offset,
    };
    const header = fileHeader(file);
    parts.push(header, file.name, file.compressed);
    offset += header.length + file.name.length + file.compressed.length;
    packed.push(file);
  }
  const directory = Buffer.concat(packed.flatMap((file) => [directoryHeader(file), file.name]));

  return Buffer.concat([...parts, directory, endRecord(packed.length, directory.length, offset)]);
}

function fileHeader(file: Packed): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(signatures.file, 0);
  writeCommonFields(header, file, 4);

  return header;
}

function directoryHeader(file: Packed): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(signatures.directory, 0);
  header.writeUInt16LE(madeOnUnix, 4);
  writeCommonFields(header, file, 6);
  header.writeUInt32LE(attributes, 38);
  header.writeUInt32LE(file.offset, 42);

  return header;
}

/**
 * The fields that both headers share: version, flags, method, time, date, checksum, sizes, name.
 */
function writeCommonFields(header: Buffer, file: Packed, start: number): void {
  header.writeUInt16LE(version, start);
  header.writeUInt16LE(flags, start + 2);
  header.writeUInt16LE(deflated, start + 4);
  header.writeUInt16LE(date, start + 8);
  header.writeUInt32LE(file.checksum, start + 10);
  header.writeUInt32LE(file.compressed.length, start + 14);
  header.writeUInt32LE(file.size, start + 18);
  header.writeUInt16LE(file.name.length, start + 22);
}

function endRecord(entries: number, directorySize: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(signatures.end, 0);
  record.writeUInt16LE(entries, 8);
  record.writeUInt16LE(entries, 10);
  record.writeUInt32LE(directorySize, 12);
  record.writeUInt32LE(directoryOffset, 16);

  return record;
}
