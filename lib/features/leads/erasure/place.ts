import type { ErasedCounts, NetworkCustomer } from './erasure.ts';

/** A removed record, or one to export. */
export type PersonRecord = {
  readonly kind: 'CONTACT' | 'CONVERSATION' | 'LEAD';
  readonly id: string;
};

/** The person whose data is erased or exported. */
export type PersonScope = {
  readonly organizationId: string;
  readonly records: readonly PersonRecord[];
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

/** A place that can hold a person's words. */
export type Place = {
  readonly name: string;
  /** Removes the person's data. May be interrupted anywhere, and is then called again. */
  readonly erase: (scope: PersonScope, progress: Progress) => Promise<void>;
  /** Yields the same data for an export. */
  readonly collect: (scope: PersonScope) => AsyncIterable<object>;
};
