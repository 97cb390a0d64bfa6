import { createHash } from 'node:crypto';
import { StripeError } from './errors.ts';

/** How a card's charges are disputed. */
export type DisputeBehavior = { readonly reason: string; readonly isInquiry?: boolean };

/** The reason why the bank declines. */
type Decline = {
  readonly code: string;
  readonly declineCode?: string;
  readonly message: string;
};

/**
 * The behavior of a published test card, as described on Stripe's testing page:
 * - Cards that decline payments (`pm_card_chargeDeclined…`) can't be attached to a customer either.
 * - `pm_card_chargeCustomerFail` can be attached, and declines every later charge.
 * - `pm_card_authenticationRequired` can be attached, and requires authentication for every
 *   payment, so off-session payments fail.
 * - `pm_card_createDispute…` pay, and every charge is then disputed.
 */
export type CardBehavior = {
  /** The card is declined when attached, confirmed or charged. */
  readonly decline?: Decline;
  /** The card can be attached, but every charge is declined. */
  readonly chargeDecline?: Decline;
  readonly needsAuthentication?: boolean;
  /** Every charge succeeds and is then disputed. */
  readonly dispute?: DisputeBehavior;
};

type TestCard = CardBehavior & {
  readonly number: string;
  readonly brand: string;
  readonly funding?: string;
  readonly country?: string;
};

const generic = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
const visa = (number: string, behavior: CardBehavior = {}): TestCard => ({
  number,
  brand: 'visa',
  ...behavior,
});

const declined: Readonly<Record<string, TestCard>> = {
  chargeDeclined: visa('4000000000000002', { decline: generic }),
  chargeDeclinedInsufficientFunds: visa('4000000000009995', {
    decline: {
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  }),
  chargeDeclinedLostCard: visa('4000000000009987', {
    decline: { ...generic, declineCode: 'lost_card' },
  }),
  chargeDeclinedStolenCard: visa('4000000000009979', {
    decline: { ...generic, declineCode: 'stolen_card' },
  }),
  chargeDeclinedExpiredCard: visa('4000000000000069', {
    decline: { code: 'expired_card', message: 'Your card has expired.' },
  }),
  chargeDeclinedIncorrectCvc: visa('4000000000000127', {
    decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  }),
  chargeDeclinedProcessingError: visa('4000000000000119', {
    decline: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  }),
  chargeDeclinedVelocityLimitExceeded: visa('4000000000006975', {
    decline: { ...generic, declineCode: 'card_velocity_exceeded' },
  }),
  chargeCustomerFail: visa('4000000000000341', { chargeDecline: generic }),
};

const accepted: Readonly<Record<string, TestCard>> = {
  visa: visa('4242424242424242'),
  visa_debit: { ...visa('4000056655665556'), funding: 'debit' },
  mastercard: { number: '5555555555554444', brand: 'mastercard' },
  mastercard_debit: { number: '5200828282828210', brand: 'mastercard', funding: 'debit' },
  mastercard_prepaid: { number: '5105105105105100', brand: 'mastercard', funding: 'prepaid' },
  amex: { number: '378282246310005', brand: 'amex' },
  discover: { number: '6011111111111117', brand: 'discover' },
  diners: { number: '3056930009020004', brand: 'diners' },
  jcb: { number: '3566002020360505', brand: 'jcb', country: 'JP' },
  unionpay: { number: '6200000000000005', brand: 'unionpay', country: 'CN' },
  us: visa('4242424242424242'),
  gb: { ...visa('4000008260000000'), country: 'GB' },
  de: { ...visa('4000002760000016'), country: 'DE' },
  fr: { ...visa('4000002500000003'), country: 'FR' },
  authenticationRequired: visa('4000002760003184', { needsAuthentication: true }),
  authenticationRequiredOnSetup: visa('4000002500003155', { needsAuthentication: true }),
  authenticationRequiredSetupForOffSession: visa('4000003800000446'),
  createDispute: visa('4000000000000259', { dispute: { reason: 'fraudulent' } }),
  createDisputeProductNotReceived: visa('4000000000002685', {
    dispute: { reason: 'product_not_received' },
  }),
  createDisputeInquiry: visa('4000000000001976', {
    dispute: { reason: 'fraudulent', isInquiry: true },
  }),
  threeDSecure2Required: visa('4000000000003220', { needsAuthentication: true }),
};

/** Stripe publishes most declining cards with the brand in the name. Both spellings work. */
const testCards = new Map<string, TestCard>([
  ...Object.entries(accepted),
  ...Object.entries(declined).flatMap(([name, card]): [string, TestCard][] => [
    [name, card],
    [`visa_${name}`, card],
  ]),
]);

/** Returns the card for a published test id (`pm_card_…`) or token (`tok_…`). */
export function findTestCard(id: string): TestCard | undefined {
  return testCards.get(id.replace(/^(pm_card_|tok_)/, ''));
}

/** The `card` field of a payment method. */
export function cardDetails(card: TestCard, now: Date): Readonly<Record<string, unknown>> {
  return {
    brand: card.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: 'unchecked',
    },
    country: card.country ?? 'US',
    display_brand: card.brand === 'amex' ? 'american_express' : card.brand,
    exp_month: now.getUTCMonth() + 1,
    exp_year: now.getUTCFullYear() + 1,
    fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
    funding: card.funding ?? 'credit',
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

/** The error for a declined card. */
export function declineError(
  decline: Decline,
  extra: Readonly<Record<string, unknown>> = {},
): StripeError {
  return new StripeError(402, decline.message, {
    type: 'card_error',
    code: decline.code,
    ...(decline.declineCode === undefined ? {} : { declineCode: decline.declineCode }),
    param: '',
    extra,
  });
}
