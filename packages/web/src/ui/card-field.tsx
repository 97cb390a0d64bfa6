import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useEffect, useRef } from 'preact/hooks';
import { PageError } from '../service.ts';
import { settings } from '../settings.ts';
import { Select } from './form.tsx';

const notLoaded = 'Stripe’s card form couldn’t be loaded. Reload the page.';
const notAccepted = 'The card couldn’t be checked. Try again.';

/** Published test ids. The sandbox accepts them too. */
const testCards = {
  pm_card_visa: 'Visa',
  pm_card_mastercard: 'Mastercard',
  pm_card_chargeDeclined: 'Declined',
  pm_card_chargeDeclinedInsufficientFunds: 'Insufficient funds',
} as const;

/**
 * Returns the id of the payment method that the person chose or entered. With the secret of a setup
 * intent, the bank can ask the person to confirm the card.
 */
export type ReadCard = (
  values: Readonly<Record<string, string>>,
  getClientSecret?: () => Promise<string>,
) => Promise<string>;

/** Stripe's card form if a publishable key is configured. Otherwise, a choice of test cards. */
export function CardField({ reader }: { readonly reader: { current: ReadCard } }) {
  const { stripePublishableKey } = settings;
  if (stripePublishableKey !== null) {
    return <StripeCard publishableKey={stripePublishableKey} reader={reader} />;
  }
  reader.current = async ({ paymentMethodId = '' }) => paymentMethodId;

  return (
    <Select
      name="paymentMethodId"
      label="Test card"
      options={testCards}
      hint="This installation has no payment provider, so nothing is charged."
    />
  );
}

type Loaded = { readonly stripe: Stripe; readonly elements: StripeElements };

function StripeCard({
  publishableKey,
  reader,
}: {
  readonly publishableKey: string;
  readonly reader: { current: ReadCard };
}) {
  const place = useRef<HTMLDivElement>(null);
  const loaded = useRef<Promise<Loaded>>();
  useEffect(() => {
    loaded.current = showPaymentElement(publishableKey, place.current);
    loaded.current.catch(() => undefined);
  }, [publishableKey]);
  reader.current = async (_, getClientSecret) => {
    const { stripe, elements } = await (loaded.current ?? Promise.reject(new PageError(notLoaded)));
    const { error: mistake } = await elements.submit();
    if (mistake) {
      throw new PageError(mistake.message ?? notAccepted);
    }
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements });
    if (!paymentMethod) {
      throw new PageError(error?.message ?? notAccepted);
    }

    if (getClientSecret) {
      const { error: refusal } = await stripe.confirmCardSetup(await getClientSecret(), {
        payment_method: paymentMethod.id,
      });
      if (refusal) {
        throw new PageError(refusal.message ?? notAccepted);
      }
    }

    return paymentMethod.id;
  };

  return <div ref={place} class="field" />;
}

async function showPaymentElement(
  publishableKey: string,
  place: HTMLElement | null,
): Promise<Loaded> {
  const { loadStripe } = await import('@stripe/stripe-js/dist/pure.mjs');
  const stripe = await loadStripe(publishableKey);
  if (!stripe || !place) {
    throw new PageError(notLoaded);
  }
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe';
  const elements = stripe.elements({
    mode: 'setup',
    currency: 'usd',
    paymentMethodTypes: ['card'],
    paymentMethodCreation: 'manual',
    appearance: { theme },
  });
  elements.create('payment').mount(place);

  return { stripe, elements };
}
