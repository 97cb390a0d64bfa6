import { createHash } from 'node:crypto';

export type Variant = { readonly id: string; readonly weight: number };

/** Hashes a name to a stable number in [0, 1), evenly spread over names. */
function hashToFraction(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * Picks a variant by weight. A conversation always gets the same one while the variants are
 * unchanged.
 */
export function pickVariant<V extends Variant>(
  variants: readonly V[],
  conversationId: string,
): V | undefined {
  const inOrder = variants
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const total = inOrder.reduce((sum, { weight }) => sum + weight, 0);
  let rest = hashToFraction(conversationId) * total;
  for (const variant of inOrder) {
    rest -= variant.weight;
    if (rest < 0) {
      return variant;
    }
  }

  return inOrder.at(-1);
}
