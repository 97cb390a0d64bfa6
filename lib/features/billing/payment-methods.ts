import { withCardLease } from '#lib/features/billing/cards/card-lease.ts';
import { cardUnknown } from '#lib/features/billing/cards/own-card.ts';
import {
  type BillingCustomer,
  type CardRemoval,
  requireBillingCustomer,
} from '#lib/features/billing/customer/billing-customer.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { endRefillPause } from '#lib/features/billing/refills/save-auto-refill.ts';
import {
  isWanted,
  openSubscription,
  type SubscriptionRecord,
} from '#lib/features/billing/subscriptions/subscription-record.ts';
import { type AuditAction, planAudit } from '#lib/platform/audit/audit-log.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { ExtraWrites, Write } from '#lib/platform/db/write.ts';
import { apiError, notFound } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { payInvoice } from '#lib/vendors/stripe/invoices.ts';
import {
  CardDeclinedError,
  paymentDeclined,
  ResourceMissingError,
  UnknownPaymentMethodError,
} from '#lib/vendors/stripe/payment-errors.ts';
import {
  attachPaymentMethod,
  detachPaymentMethod,
  listPaymentMethods,
  makeDefault,
  type PaymentMethod,
  type PaymentMethods,
} from '#lib/vendors/stripe/payment-methods.ts';
import { requireCard } from '#lib/vendors/stripe/payments.ts';
import { paySubscriptionWith } from '#lib/vendors/stripe/subscriptions.ts';

/** @throws 404 if billing is not set up, 502 if the provider is unavailable. */
export async function listCards(organizationId: string): Promise<PaymentMethods> {
  const { customerId } = await requireBillingCustomer(organizationId);

  return listPaymentMethods(customerId);
}

/**
 * Adds a card and makes it the default. Also pays any overdue subscription invoice and ends a pause
 * of auto-refill. Safe to retry if the provider did not respond.
 *
 * @throws 400 if the card is unknown, 402 if it is declined, 404 if billing is not set up, 409 if
 * another request is changing the cards, 502 if the provider is unavailable.
 */
export async function addCard(
  organizationId: string,
  actorId: string,
  intent: Intent,
  paymentMethodId: string,
  extraWrites: ExtraWrites<PaymentMethod>,
): Promise<PaymentMethod> {
  return withCardLease(organizationId, intent, async (customer) => {
    const method = await attach(customer.customerId, paymentMethodId);
    await setPaymentMethodAndPay(customer, method.id);

    return {
      result: method,
      writes: [
        ...(await extraWrites(method)),
        ...planCardAudit('billing.payment_method_added', organizationId, actorId, method.id),
      ],
      set: { hasNoCard: null },
    };
  });
}

/**
 * Makes a card the default, pays any overdue subscription invoice with it, and ends a pause of
 * auto-refill.
 *
 * @throws 404 if the card is not the organization's, 409 if another request is changing the cards,
 *   502 if the provider is unavailable.
 */
export async function chooseCard(
  organizationId: string,
  actorId: string,
  intent: Intent,
  paymentMethodId: string,
): Promise<void> {
  await withCardLease(organizationId, intent, async (customer) => {
    await requireCardInPath(customer.customerId, paymentMethodId);
    await setPaymentMethodAndPay(customer, paymentMethodId);
    const action = 'billing.default_payment_method_changed';

    return {
      result: undefined,
      writes: planCardAudit(action, organizationId, actorId, paymentMethodId),
      set: { hasNoCard: null },
    };
  });
}

/**
 * Removes a card. If it was the default, the newest remaining card becomes the default. The removal
 * is recorded before the provider is called, so that the next removal of any card can complete the
 * audit log after a crash.
 *
 * @throws 404 if the card is not the organization's, 409 if it is the last card and still needed,
 *   502 if the provider is unavailable.
 */
export async function removeCard(
  organizationId: string,
  actorId: string,
  intent: Intent,
  paymentMethodId: string,
): Promise<void> {
  await withCardLease(organizationId, intent, async (customer, note) => {
    const [{ methods, defaultId }, { record, balance }] = await Promise.all([
      listPaymentMethods(customer.customerId),
      readPayers(organizationId),
    ]);
    const isThere = (cardId: string) => methods.some(({ id }) => id === cardId);
    const { cardBeingRemoved: begun } = customer;
    const ended = begun && !isThere(begun.id) ? begun : undefined;
    if (!isThere(paymentMethodId)) {
      if (ended?.id !== paymentMethodId) {
        throw methodNotFound();
      }

      return planRemovalResult(organizationId, ended, methods.length === 0);
    }
    const [next] = methods.filter(({ id }) => id !== paymentMethodId);
    if (!next && (isWanted(record) || balance?.refillEnabled)) {
      throw apiError(
        'IN_USE',
        'Cannot remove the last payment method while a subscription is active or auto-refill is on',
      );
    }
    if (next && (defaultId === paymentMethodId || defaultId === undefined)) {
      await setPaymentMethod(customer, record, next.id);
    }
    const cardBeingRemoved = { id: paymentMethodId, actorId };
    await note({ cardBeingRemoved }, ...(ended ? planCardAuditOf(organizationId, ended) : []));
    await detachPaymentMethod(paymentMethodId);

    return planRemovalResult(organizationId, cardBeingRemoved, !next);
  });
}

function planRemovalResult(organizationId: string, removal: CardRemoval, isLast: boolean) {
  return {
    result: undefined,
    writes: planCardAuditOf(organizationId, removal),
    set: { cardBeingRemoved: null, hasNoCard: isLast ? true : null },
  };
}

function planCardAuditOf(organizationId: string, { id, actorId }: CardRemoval): readonly Write[] {
  return planCardAudit('billing.payment_method_removed', organizationId, actorId, id);
}

function methodNotFound() {
  return notFound('Payment method');
}

async function attach(customerId: string, paymentMethodId: string): Promise<PaymentMethod> {
  try {
    return await attachPaymentMethod(customerId, paymentMethodId);
  } catch (failure) {
    if (failure instanceof CardDeclinedError) {
      throw paymentDeclined(failure);
    }
    throw failure instanceof UnknownPaymentMethodError || failure instanceof ResourceMissingError
      ? cardUnknown()
      : failure;
  }
}

async function requireCardInPath(customerId: string, paymentMethodId: string): Promise<void> {
  try {
    await requireCard(customerId, paymentMethodId);
  } catch (failure) {
    throw failure instanceof UnknownPaymentMethodError || failure instanceof ResourceMissingError
      ? methodNotFound()
      : failure;
  }
}

async function setPaymentMethodAndPay(
  customer: BillingCustomer,
  paymentMethodId: string,
): Promise<void> {
  const { record, balance } = await readPayers(customer.organizationId);
  const owedInvoiceId = await setPaymentMethod(customer, record, paymentMethodId);
  await Promise.all([tryPayInvoice(owedInvoiceId, paymentMethodId), endRefillPause(balance)]);
}

/**
 * Makes a card the default of the customer and the active subscription. Returns the overdue
 * invoice, if any.
 */
async function setPaymentMethod(
  { customerId }: BillingCustomer,
  record: SubscriptionRecord | undefined,
  paymentMethodId: string,
): Promise<string | undefined> {
  const subscription = openSubscription(record);
  const [owedInvoiceId] = await Promise.all([
    subscription ? paySubscriptionWith(subscription.subscriptionId, paymentMethodId) : undefined,
    makeDefault(customerId, paymentMethodId),
  ]);

  return owedInvoiceId;
}

/**
 * Tries to pay an overdue invoice. If that fails, the card remains the default and the provider
 * retries by itself.
 */
async function tryPayInvoice(
  invoiceId: string | undefined,
  paymentMethodId: string,
): Promise<void> {
  if (invoiceId === undefined) {
    return;
  }
  try {
    await payInvoice(invoiceId, paymentMethodId);
  } catch (failure) {
    logger.warn('What a subscription owes could not be paid with the card that was given', {
      failure: describeFailure(failure),
    });
  }
}

type Payers = {
  readonly record: SubscriptionRecord | undefined;
  readonly balance: Balance | undefined;
};

async function readPayers(organizationId: string): Promise<Payers> {
  const [record, balance] = await getMany<SubscriptionRecord | Balance>([
    billingKeys.subscription(organizationId),
    billingKeys.balance(organizationId),
  ]);

  return {
    record: record as SubscriptionRecord | undefined,
    balance: balance as Balance | undefined,
  };
}

function planCardAudit(
  action: AuditAction,
  organizationId: string,
  actorId: string,
  targetId: string,
): readonly Write[] {
  return planAudit(organizationId, { action, actorId, targetId });
}
