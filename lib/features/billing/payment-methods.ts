import {
  type BillingAccount,
  type CardRemoval,
  requireBillingAccount,
} from '#lib/features/billing/account/billing-account.ts';
import { holdingCards } from '#lib/features/billing/cards/card-lease.ts';
import { cardUnknown } from '#lib/features/billing/cards/own-card.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { endRefillPause } from '#lib/features/billing/refills/auto-refill-settings.ts';
import {
  isWanted,
  type SubscriptionRecord,
  standing,
} from '#lib/features/billing/subscriptions/subscription-record.ts';
import { type AuditAction, auditWrites } from '#lib/platform/audit/audit-log.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { Alongside, Write } from '#lib/platform/db/write.ts';
import { conflict, notFound, paymentRequired } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { payInvoice } from '#lib/vendors/stripe/invoices.ts';
import {
  CardRefused,
  NoSuchThing,
  PaymentMethodUnknown,
} from '#lib/vendors/stripe/payment-failures.ts';
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

/** @throws 404 where billing has not been set up, 502. */
export async function listCards(organizationId: string): Promise<PaymentMethods> {
  const { customerId } = await requireBillingAccount(organizationId);

  return listPaymentMethods(customerId);
}

/**
 * Adds a card, which becomes the default one, pays what the subscription owes, and ends a pause of
 * refills. It may be called again where the provider did not answer.
 *
 * @throws 400 for an unknown one, 402 where it is refused, 404, 409, 502.
 */
export async function addCard(
  organizationId: string,
  actorId: string,
  intent: Intent,
  paymentMethodId: string,
  alongside: Alongside<PaymentMethod>,
): Promise<PaymentMethod> {
  return holdingCards(organizationId, intent, async (account) => {
    const method = await attach(account.customerId, paymentMethodId);
    await payWithGiven(account, method.id);

    return {
      result: method,
      writes: [
        ...(await alongside(method)),
        ...audit('billing.payment_method_added', organizationId, actorId, method.id),
      ],
      set: { hasNoCard: null },
    };
  });
}

/**
 * Makes a card the default one, pays with it what the subscription owes, and ends a pause of
 * refills.
 *
 * @throws 404 for a card that is not the organization's, 409, 502.
 */
export async function chooseCard(
  organizationId: string,
  actorId: string,
  intent: Intent,
  paymentMethodId: string,
): Promise<void> {
  await holdingCards(organizationId, intent, async (account) => {
    await requireInPath(account.customerId, paymentMethodId);
    await payWithGiven(account, paymentMethodId);
    const action = 'billing.default_payment_method_changed';

    return {
      result: undefined,
      writes: audit(action, organizationId, actorId, paymentMethodId),
      set: { hasNoCard: null },
    };
  });
}

/**
 * Removes a card; the newest other one takes its place as the default. What is removed is kept before
 * the provider does it: a removal that died halfway is recorded by the next one, of whichever card.
 *
 * @throws 404 for a card that is not the organization's, 409 for the last one while it is needed,
 *   502.
 */
export async function removeCard(
  organizationId: string,
  actorId: string,
  intent: Intent,
  paymentMethodId: string,
): Promise<void> {
  await holdingCards(organizationId, intent, async (account, note) => {
    const [{ methods, defaultId }, { record, balance }] = await Promise.all([
      listPaymentMethods(account.customerId),
      readPayers(organizationId),
    ]);
    const isThere = (cardId: string) => methods.some(({ id }) => id === cardId);
    const { cardBeingRemoved: begun } = account;
    const ended = begun && !isThere(begun.id) ? begun : undefined;
    if (!isThere(paymentMethodId)) {
      if (ended?.id !== paymentMethodId) {
        throw methodNotFound();
      }

      return asRemoved(organizationId, ended, methods.length === 0);
    }
    const [next] = methods.filter(({ id }) => id !== paymentMethodId);
    if (!next && (isWanted(record) || balance?.refillEnabled)) {
      throw conflict(
        'Cannot remove the last payment method while a subscription is active or auto-refill is on',
      );
    }
    if (next && (defaultId === paymentMethodId || defaultId === undefined)) {
      await payWith(account, record, next.id);
    }
    const cardBeingRemoved = { id: paymentMethodId, actorId };
    await note({ cardBeingRemoved }, ...(ended ? auditOf(organizationId, ended) : []));
    await detachPaymentMethod(paymentMethodId);

    return asRemoved(organizationId, cardBeingRemoved, !next);
  });
}

function asRemoved(organizationId: string, removal: CardRemoval, isLast: boolean) {
  return {
    result: undefined,
    writes: auditOf(organizationId, removal),
    set: { cardBeingRemoved: null, hasNoCard: isLast ? true : null },
  };
}

function auditOf(organizationId: string, { id, actorId }: CardRemoval): readonly Write[] {
  return audit('billing.payment_method_removed', organizationId, actorId, id);
}

function methodNotFound() {
  return notFound('Payment method');
}

async function attach(customerId: string, paymentMethodId: string): Promise<PaymentMethod> {
  try {
    return await attachPaymentMethod(customerId, paymentMethodId);
  } catch (failure) {
    if (failure instanceof CardRefused) {
      throw paymentRequired(failure.message, failure);
    }
    throw failure instanceof PaymentMethodUnknown || failure instanceof NoSuchThing
      ? cardUnknown()
      : failure;
  }
}

async function requireInPath(customerId: string, paymentMethodId: string): Promise<void> {
  try {
    await requireCard(customerId, paymentMethodId);
  } catch (failure) {
    throw failure instanceof PaymentMethodUnknown || failure instanceof NoSuchThing
      ? methodNotFound()
      : failure;
  }
}

/** Has a card that somebody has just given pay from now on, and what is owed already. */
async function payWithGiven(account: BillingAccount, paymentMethodId: string): Promise<void> {
  const { record, balance } = await readPayers(account.organizationId);
  const owedInvoiceId = await payWith(account, record, paymentMethodId);
  await Promise.all([payOwed(owedInvoiceId, paymentMethodId), endRefillPause(balance)]);
}

/**
 * The customer's default, and what a subscription that stands is paid with. Gives back the invoice
 * that it owes.
 */
async function payWith(
  { customerId }: BillingAccount,
  record: SubscriptionRecord | undefined,
  paymentMethodId: string,
): Promise<string | undefined> {
  const subscription = standing(record);
  const [owedInvoiceId] = await Promise.all([
    subscription ? paySubscriptionWith(subscription.subscriptionId, paymentMethodId) : undefined,
    makeDefault(customerId, paymentMethodId),
  ]);

  return owedInvoiceId;
}

/**
 * Pays an invoice that is owed, unless that is not possible now: the card is the default all the
 * same, and the provider goes on by itself.
 */
async function payOwed(invoiceId: string | undefined, paymentMethodId: string): Promise<void> {
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

/** What a card of the organization's pays by itself. */
async function readPayers(organizationId: string): Promise<Payers> {
  const [record, balance] = await getMany<SubscriptionRecord | Balance>([
    keys.subscription(organizationId),
    keys.balance(organizationId),
  ]);

  return {
    record: record as SubscriptionRecord | undefined,
    balance: balance as Balance | undefined,
  };
}

function audit(
  action: AuditAction,
  organizationId: string,
  actorId: string,
  targetId: string,
): readonly Write[] {
  return auditWrites(organizationId, { action, actorId, targetType: 'billing', targetId });
}
