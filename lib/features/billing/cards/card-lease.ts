import type { BillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { absent, below, either, equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import {
  type Attributes,
  change,
  ensure,
  type Refusal,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { billingNotSetUp, overtaken } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';

/** Longer than a request can run: a lease this old belongs to a crashed request. */
const leaseDurationMs = minuteMs;

const free = { cardsHeldUntil: null, cardsHeldBy: null } as const;

const isFree = () => either(absent('cardsHeldUntil'), below('cardsHeldUntil', timestamp()));
const isFreeFor = ({ id }: Intent) => either(isFree(), equals('cardsHeldBy', id));

const inUse: Refusal = (stored) =>
  stored ? overtaken('Another request is changing the payment methods') : billingNotSetUp();

/** Requires that no request is changing the organization's cards when the transaction commits. */
export function planCardsUnlocked(organizationId: string): Write {
  return ensure(billingKeys.billing(organizationId), { when: isFree(), onConditionFailed: inUse });
}

type Held<Result> = {
  readonly result: Result;
  readonly writes: readonly Write[];
  /** Attributes to save on the customer when the lease is released. */
  readonly set?: Attributes;
};

/** Stores attributes on the customer before a step, and checks that the lease is still held. */
type Note = (set: Attributes, ...others: readonly Write[]) => Promise<void>;

/**
 * Runs `work` with an exclusive lease on the organization's cards. The lease is needed because only
 * the provider knows the remaining cards, and nothing that needs a card may start in the meantime.
 * The returned writes commit together with the release of the lease. A repetition of the same
 * request takes over its earlier lease.
 *
 * @throws 404 if billing is not set up, 409 if another request holds the lease.
 */
export async function withCardLease<Result>(
  organizationId: string,
  intent: Intent,
  work: (customer: BillingCustomer, note: Note) => Promise<Held<Result>>,
): Promise<Result> {
  const cardsHeldUntil = timestamp(leaseDurationMs);
  const customer = await write(
    change(billingKeys.billing(organizationId), {
      set: { cardsHeldUntil, cardsHeldBy: intent.id },
      when: isFreeFor(intent),
      onConditionFailed: inUse,
    }),
  );
  const planWhileHeld = (set: Attributes) =>
    change(billingKeys.billing(organizationId), {
      set,
      when: equals('cardsHeldUntil', cardsHeldUntil),
      onConditionFailed: inUse,
    });
  const note: Note = async (set, ...others) => {
    await write(planWhileHeld(set), ...others);
  };
  let held: Held<Result>;
  try {
    held = await work(customer as unknown as BillingCustomer, note);
  } catch (failure) {
    // Throw the original failure. If the release fails too, the lease expires by itself.
    await writeIfMet(planWhileHeld(free)).catch(() => undefined);
    throw failure;
  }
  await write(...held.writes, planWhileHeld({ ...held.set, ...free }));

  return held.result;
}
