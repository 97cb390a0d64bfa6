import { StripeError } from './errors.ts';
import { list, type Params, text } from './params.ts';

/** The types that the sandbox's account has activated. */
const activated = ['card'];
const types = list(text());

/** The parameters that limit how an intent can be paid or set up. */
export const methodTypeParams = {
  allowed_payment_method_types: types,
  payment_method_types: types,
};

/** https://docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents */
export const removedMethodTypes = {
  payment_method_types: {
    since: '2026-09-30.endive',
    code: 'payment_method_types_no_longer_supported',
  },
} as const;

const names = [
  'allowed_payment_method_types',
  'payment_method_types',
  'automatic_payment_methods',
] as const;

/**
 * Rejects types that the account does not have. Incompatible ones are ignored if they are only
 * allowed. Returns whether Stripe chooses the types.
 */
export function choosesMethodTypes(
  params: Params<typeof methodTypeParams> & {
    readonly automatic_payment_methods?: { readonly enabled?: boolean };
  },
): boolean {
  const { allowed_payment_method_types: allowed, payment_method_types: fixed } = params;
  const given = names.filter((name) => params[name] !== undefined);
  if (given.length > 1) {
    throw new StripeError(
      400,
      `You may only specify one of these parameters: ${given.join(', ')}.`,
      { code: 'parameters_exclusive' },
    );
  }
  const invalid = fixed?.find((type) => !activated.includes(type));
  if (invalid !== undefined) {
    throw new StripeError(
      400,
      `The payment method type "${invalid}" is invalid. Please ensure the provided type is activated in your dashboard.`,
      { param: 'payment_method_types' },
    );
  }
  if (allowed !== undefined && !allowed.some((type) => activated.includes(type))) {
    throw new StripeError(400, 'No valid payment method types for this intent.', {
      param: 'allowed_payment_method_types',
    });
  }

  return fixed === undefined && params.automatic_payment_methods?.enabled !== false;
}
