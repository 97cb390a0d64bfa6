import { readFile } from '#lib/platform/storage/read-file.ts';
import { bytesOf, floatsOf } from '#lib/platform/vectors.ts';
import { passagesFile, type Source } from './source.ts';

/** All passages of one revision of a source. */
export type Passages = {
  /** The model of the vectors. Only vectors of one model can be compared. */
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions: number;
  /** The vectors in a row, each of length 1. */
  readonly vectors: Float32Array;
};

const lengthBytes = 4;

/** Encodes the length of the header, the header as JSON, and the vectors as 32-bit numbers. */
export function encodePassages(
  model: string,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0;
  const header = Buffer.from(JSON.stringify({ model, texts, dimensions }));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(header.length);

  return Buffer.concat([length, header, ...vectors.map(bytesOf)]);
}

export function decodePassages(file: Uint8Array): Passages {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const headerEnd = lengthBytes + bytes.readUInt32LE();
  const header = JSON.parse(bytes.toString('utf8', lengthBytes, headerEnd));

  return { ...header, vectors: floatsOf(bytes.subarray(headerEnd)) };
}

/** All passages of two organizations at the limit: about 45 MB. */
const maxCachedPassages = 10_000;

const cache = new Map<string, Passages>();

/**
 * Returns the passages of a source, or `undefined` if a newer revision has replaced them. Files
 * never change, so they are kept in memory. The least recently used are dropped first.
 */
export async function loadPassages(source: Source): Promise<Passages | undefined> {
  const { storedName } = source;
  if (storedName === undefined) {
    return undefined;
  }
  const file = passagesFile(source, storedName);
  const known = cache.get(file.key);
  const bytes = known ? undefined : await readFile(file);
  const passages = known ?? (bytes && decodePassages(bytes));
  if (passages) {
    cache.delete(file.key);
    cache.set(file.key, passages);
    dropOld();
  }

  return passages;
}

function dropOld(): void {
  let total = [...cache.values()].reduce((sum, { texts }) => sum + texts.length, 0);
  for (const [key, { texts }] of cache) {
    if (total <= maxCachedPassages || cache.size === 1) {
      return;
    }
    cache.delete(key);
    total -= texts.length;
  }
}
