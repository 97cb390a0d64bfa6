/** Copies, because the numbers of a view must be aligned. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.byteLength / 4));
}

export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The product with the vector at `offset`. Of two vectors of length 1, it is their cosine. */
export function product(vectors: Float32Array, offset: number, vector: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += (vectors[offset + index] ?? 0) * (vector[index] ?? 0);
  }

  return sum;
}
