import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { change, type ExtraWrites, remove, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError, overtaken } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import type * as contracts from '#schemas/billing.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { alreadySetUp, findBillingCustomer, planBillingCustomer } from './billing-customer.ts';
import { type CustomerAttempt, makeCustomer, planCustomerAttempt } from './customer-attempt.ts';

/** Longer than a request can run: a lock this old belongs to a crashed request. */
const lockDurationMs = minuteMs;

export type BillingDetails = BodyOf<typeof contracts.setUpBilling>;

/**
 * Creates the organization's customer and billing customer, once. The attempt is stored before the
 * provider is called, and deleted when the billing customer is created. After a crash in between, the
 * orphaned customer is deleted later and setup can be retried.
 *
 * @throws 409 if billing is already set up or another request is setting it up, 400 if the provider
 *   rejects the email address, 502 if the provider is unavailable.
 */
export async function setUpBilling(
  organizationId: string,
  actorId: string,
  intent: Intent,
  details: BillingDetails,
  extraWrites: ExtraWrites<{ readonly customerId: string }>,
): Promise<{ readonly customerId: string }> {
  if (await findBillingCustomer(organizationId)) {
    throw alreadySetUp();
  }
  const attempt = planCustomerAttempt(details.email);
  await write(planLock(organizationId, intent), attempt.write);
  const customerId = await createCustomerWithLock(organizationId, attempt, details.name);
  try {
    await write(
      ...(await extraWrites({ customerId })),
      remove(attempt.write.key),
      change(billingKeys.billingSetup(organizationId), {
        set: { heldUntil: null, heldBy: null, done: true },
      }),
      ...planBillingCustomer(
        { organizationId, customerId, billingEmail: details.email, billingName: details.name },
        0,
      ),
      ...planAudit(organizationId, {
        action: 'billing.set_up',
        actorId,
      }),
    );
  } catch (failure) {
    await releaseLock(organizationId, failure);
    throw failure;
  }

  return { customerId };
}

/**
 * Allows only one concurrent request to call the provider, and none after setup has succeeded. A
 * repetition of the same request takes over its earlier lock.
 */
function planLock(organizationId: string, { id: heldBy }: Intent): Write {
  const isExpired = either(absent('heldUntil'), below('heldUntil', timestamp()));

  return change(billingKeys.billingSetup(organizationId), {
    set: { heldUntil: timestamp(lockDurationMs), heldBy },
    when: allOf(absent('done'), either(isExpired, equals('heldBy', heldBy))),
    orCreate: true,
    onConditionFailed: (stored) =>
      stored?.done ? alreadySetUp() : overtaken('Another request is setting up billing'),
  });
}

async function createCustomerWithLock(
  organizationId: string,
  attempt: CustomerAttempt,
  name: string,
): Promise<string> {
  try {
    return (await makeCustomer(attempt, { name })).customerId;
  } catch (failure) {
    await releaseLock(organizationId, failure);
    throw failure;
  }
}

/**
 * Releases the lock so that the next request need not wait. The cleanup deletes a created customer.
 */
async function releaseLock(organizationId: string, failure: unknown): Promise<void> {
  if (failure instanceof ApiError) {
    const asItWas = { set: { heldUntil: null }, when: absent('done') };
    await write(change(billingKeys.billingSetup(organizationId), asItWas));
  }
}
