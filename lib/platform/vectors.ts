/** Copies the bytes, because the numbers of a view must be aligned. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.byteLength / 4));
}

export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The dot product with the vector at `offset`. For two vectors of length 1, it is their cosine. */
export function product(vectors: Float32Array, offset: number, vector: Float32Array): number {
  const at = (numbers: Float32Array, index: number) => numbers[index] as number;
  const { length } = vector;
  // Two independent sums take half the time, because the processor computes them in parallel.
  let [even, odd] = [0, 0];
  for (let index = 0; index + 1 < length; index += 2) {
    even += at(vectors, offset + index) * at(vector, index);
    odd += at(vectors, offset + index + 1) * at(vector, index + 1);
  }

  return length % 2 === 0
    ? even + odd
    : even + odd + at(vectors, offset + length - 1) * at(vector, length - 1);
}
