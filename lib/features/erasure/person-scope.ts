import { placeholderAddress } from '#lib/features/leads/placeholder-address.ts';
import type { Platform } from '#schemas/platforms.ts';

/** A person at a network. The same id on another network is another person. */
export type NetworkCustomer = { readonly platform: Platform; readonly id: string };

/** Returns the placeholder email address of a customer in contacts. */
export function standInOf({ platform, id }: NetworkCustomer): string {
  return placeholderAddress({ platform, customer: { id, name: '' } });
}

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

export type ErasureProgress = {
  /** The key where the last run stopped. */
  readonly cursor: string | undefined;
  /**
   * Stores the progress, and adds the items that are about to be removed to the counts. Call it
   * before removing.
   */
  readonly save: (cursor: string, counts?: Partial<ErasedCounts>) => Promise<void>;
  /** Call it between steps of a few seconds. Throws when the function must end. */
  readonly stopInTime: () => void;
};
