import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, change, remove, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { alreadySetUp, createBillingAccount, findBillingAccount } from './billing-account.ts';
import { type CustomerAttempt, makeCustomer, planCustomerAttempt } from './customer-attempt.ts';

/** Longer than a request can run: whoever holds the set-up then is dead. */
const heldMs = minuteMs;

export type BillingDetails = { readonly email: string; readonly name: string };

/**
 * Makes the organization's customer and its billing account, once. The attempt is written down
 * before the provider is asked, and struck out with the account's creation: what dies in between
 * leaves a customer that is found and deleted later, and a set-up that can be sent again.
 *
 * @throws 409 where billing is set up already, or is being set up; 400 where the provider
 * refuses the address, 502 where it is down.
 */
export async function setUpBilling(
  organizationId: string,
  actorId: string,
  intent: Intent,
  details: BillingDetails,
  alongside: Alongside<{ readonly customerId: string }>,
): Promise<{ readonly customerId: string }> {
  if (await findBillingAccount(organizationId)) {
    throw alreadySetUp();
  }
  const attempt = planCustomerAttempt(details.email);
  await write(hold(organizationId, intent), attempt.write);
  const customerId = await makeCustomerWhileHeld(organizationId, attempt, details.name);
  try {
    await write(
      ...(await alongside({ customerId })),
      remove(attempt.write.key),
      change(keys.billingSetup(organizationId), {
        set: { heldUntil: null, heldBy: null, done: true },
      }),
      ...createBillingAccount(
        { organizationId, customerId, billingEmail: details.email, billingName: details.name },
        0,
      ),
      ...auditWrites(organizationId, {
        action: 'billing.set_up',
        actorId,
        targetType: 'billing',
        targetId: organizationId,
      }),
    );
  } catch (failure) {
    await letGo(organizationId, failure);
    throw failure;
  }

  return { customerId };
}

/**
 * Of many requests at once, one asks the provider; and none when one has succeeded. What an earlier
 * request for the same has held is taken over.
 */
function hold(organizationId: string, { id: heldBy }: Intent): Write {
  const isOver = either(absent('heldUntil'), below('heldUntil', timestamp()));

  return change(keys.billingSetup(organizationId), {
    set: { heldUntil: timestamp(heldMs), heldBy },
    when: allOf(absent('done'), either(isOver, equals('heldBy', heldBy))),
    orCreate: true,
    refused: (stored) =>
      stored?.done ? alreadySetUp() : conflict('Another request is setting up billing'),
  });
}

async function makeCustomerWhileHeld(
  organizationId: string,
  attempt: CustomerAttempt,
  name: string,
): Promise<string> {
  try {
    return await makeCustomer(attempt, { name });
  } catch (failure) {
    await letGo(organizationId, failure);
    throw failure;
  }
}

/** The next request need not wait. The customer, if there is one, is left to the clean-up. */
async function letGo(organizationId: string, failure: unknown): Promise<void> {
  if (failure instanceof ApiError) {
    const asItWas = { set: { heldUntil: null }, when: absent('done') };
    await write(change(keys.billingSetup(organizationId), asItWas));
  }
}
