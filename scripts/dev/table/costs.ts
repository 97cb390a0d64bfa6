/** The capacity units that one item of a request, or one page, consumes. */
export type ItemUnits = {
  readonly readUnits: number;
  /** Without the indexes. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
};

export type Cost = ItemUnits & { readonly table: { readonly name: string } };

export const freeOfCharge = { readUnits: 0, writeUnits: 0, indexWriteUnits: 0 } as const;

/**
 * The costs of a request for each of its items, in order. Calculated only for callers that need
 * them.
 */
export type Costs = () => readonly Cost[];
