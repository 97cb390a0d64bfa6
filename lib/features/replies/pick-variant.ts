import { createHash } from 'node:crypto';

export type Variant = { readonly id: string; readonly weight: number };

/** A number from 0 up to 1 that a name always has, spread evenly over names. */
function fractionOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * The variant that a conversation is given: by weight over many, and the same one for one
 * conversation as long as the variants stay as they are.
 */
export function pickVariant<V extends Variant>(
  variants: readonly V[],
  conversationId: string,
): V | undefined {
  const inOrder = variants
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const total = inOrder.reduce((sum, { weight }) => sum + weight, 0);
  let rest = fractionOf(conversationId) * total;
  for (const variant of inOrder) {
    rest -= variant.weight;
    if (rest < 0) {
      return variant;
    }
  }

  return inOrder.at(-1);
}
