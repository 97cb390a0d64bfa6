import type { BillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { absent, below, either, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import {
  type Attributes,
  change,
  ensure,
  type Refusal,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { billingNotSetUp, conflict } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';

/** Longer than a request can run: whoever holds the cards then is dead. */
const heldMs = minuteMs;

const free = { cardsHeldUntil: null, cardsHeldBy: null } as const;

const isFree = () => either(absent('cardsHeldUntil'), below('cardsHeldUntil', timestamp()));
const isFreeFor = ({ id }: Intent) => either(isFree(), equals('cardsHeldBy', id));

const inUse: Refusal = (stored) =>
  stored ? conflict('Another request is changing the payment methods') : billingNotSetUp();

/** Nobody is changing the organization's cards while the transaction is written. */
export function cardsAtRest(organizationId: string): Write {
  return ensure(keys.billing(organizationId), { when: isFree(), refused: inUse });
}

type Held<Result> = {
  readonly result: Result;
  readonly writes: readonly Write[];
  /** What is kept with the account as the cards are let go. */
  readonly set?: Attributes;
};

/** Keeps something with the account before a step, and makes sure that the cards are still held. */
type Note = (set: Attributes, ...others: readonly Write[]) => Promise<void>;

/**
 * Changes the cards of an organization, as the only one: which of them is left is known at the
 * provider alone, and nothing that needs a card begins meanwhile. What the work gives back to be
 * written is written as the cards are let go. What an earlier request for the same has held is taken
 * over.
 *
 * @throws 404 where billing has not been set up, 409 where another request is at it.
 */
export async function holdingCards<Result>(
  organizationId: string,
  intent: Intent,
  work: (account: BillingAccount, note: Note) => Promise<Held<Result>>,
): Promise<Result> {
  const cardsHeldUntil = timestamp(heldMs);
  const account = await write(
    change(keys.billing(organizationId), {
      set: { cardsHeldUntil, cardsHeldBy: intent.id },
      when: isFreeFor(intent),
      refused: inUse,
    }),
  );
  const whileHeld = (set: Attributes) =>
    change(keys.billing(organizationId), {
      set,
      when: equals('cardsHeldUntil', cardsHeldUntil),
      refused: inUse,
    });
  const note: Note = async (set, ...others) => {
    await write(whileHeld(set), ...others);
  };
  let held: Held<Result>;
  try {
    held = await work(account as unknown as BillingAccount, note);
  } catch (failure) {
    // The failure is what to tell of; what cannot be let go now ends by itself.
    await writeIfMet(whileHeld(free)).catch(() => undefined);
    throw failure;
  }
  await write(...held.writes, whileHeld({ ...held.set, ...free }));

  return held.result;
}
