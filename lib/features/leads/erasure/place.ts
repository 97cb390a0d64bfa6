import type { Platform } from '#schemas/platforms.ts';

/** A person at a network. The same id on another network is another person. */
export type NetworkCustomer = { readonly platform: Platform; readonly id: string };

export type ErasedCounts = {
  readonly leads: number;
  readonly conversations: number;
  readonly messages: number;
  readonly files: number;
  readonly activities: number;
};

/** A removed record, or one to export. */
export type PersonRecord = {
  readonly kind: 'CONTACT' | 'CONVERSATION' | 'LEAD';
  readonly id: string;
};

/** The person whose data is erased or exported. */
export type PersonScope = {
  readonly organizationId: string;
  readonly records: readonly PersonRecord[];
  /** The ids of contacts that were merged into this one. */
  readonly formerIds: readonly string[];
  readonly addresses: readonly string[];
  readonly customers: readonly NetworkCustomer[];
};

export type Progress = {
  /** Where the last run stopped. */
  readonly cursor: string | undefined;
  /** Records progress, and counts what is removed next. Call it before removing. */
  readonly save: (cursor: string, counts?: Partial<ErasedCounts>) => Promise<void>;
  /** Call it between steps of a few seconds. Throws when the function must end. */
  readonly stopInTime: () => void;
};

/**
 * The places that can hold a person's words, in addition to the records themselves, in the order in
 * which they are cleared. Each has an entry in `erasers` and in `collectors`, so that what can be
 * erased is also exported.
 */
export const placeNames = [
  'contents',
  'inboundEvents',
  'waitingEvents',
  'deliveries',
  'importRows',
  'exportFiles',
] as const;

export type PlaceName = (typeof placeNames)[number];

/** Removes the person's data. May be interrupted anywhere, and is then called again. */
export type Eraser = (scope: PersonScope, progress: Progress) => Promise<void>;

/** Yields the same data for an export. */
export type Collector = (scope: PersonScope) => AsyncIterable<object>;
