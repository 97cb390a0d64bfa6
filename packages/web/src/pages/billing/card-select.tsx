import { Loaded, useGet } from '../../frame/data.tsx';
import { client, type ListPaymentMethodsResponse, PageError } from '../../service.ts';
import { Select, type Values } from '../../ui/form.tsx';

export type Card = ListPaymentMethodsResponse['paymentMethods'][number];

export function useCards() {
  return useGet(['billing', 'cards'], (organizationId, options) =>
    client.billing.listPaymentMethods({ organizationId }, options),
  );
}

const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

export function nameOf({ card: { brand, last4 } }: Card): string {
  return `${brands[brand] ?? brand} ending in ${last4}`;
}

/** Returns the chosen card of a form. Undefined while cards load, or if there are none. */
export function chosenCard({ paymentMethodId }: Values): string {
  if (!paymentMethodId) {
    throw new PageError('Choose a card first.');
  }

  return paymentMethodId;
}

/** A select with the saved cards, the default card first. */
export function CardSelect() {
  return (
    <Loaded of={useCards()}>
      {({ paymentMethods }) =>
        paymentMethods.length === 0 ? (
          <p class="notice">Add a card below first.</p>
        ) : (
          <Select
            name="paymentMethodId"
            label="Card"
            options={Object.fromEntries(
              paymentMethods
                .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
                .map((card) => [card.id, nameOf(card)]),
            )}
          />
        )
      }
    </Loaded>
  );
}
