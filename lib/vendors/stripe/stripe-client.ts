import Stripe from 'stripe';
import { CircuitOpenError, throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { config } from '#lib/platform/config.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import { BoundedHttpClient, countEffects, type PossibleEffects } from './bounded-http-client.ts';
import {
  CardDeclinedError,
  EmailRejectedError,
  IdempotencyKeyUsedError,
  NoEffectError,
  ResourceMissingError,
  UnknownPaymentMethodError,
} from './payment-errors.ts';

/**
 * Two attempts of four seconds each, so that an outage is reported within ten. The SDK retries with
 * the same idempotency key.
 */
const maxNetworkRetries = 1;

type Client = { readonly key: string; readonly timeoutMs: number; readonly stripe: Stripe };

let client: Client | undefined;

function connect(key: string, timeoutMs: number): Stripe {
  const base = config.stripeApiBase ? new URL(config.stripeApiBase) : undefined;
  const protocol = base?.protocol === 'http:' ? ('http' as const) : ('https' as const);

  return new Stripe(key, {
    timeout: timeoutMs,
    maxNetworkRetries,
    telemetry: false,
    httpClient: new BoundedHttpClient(),
    ...(base
      ? { host: base.hostname, protocol, port: base.port || (protocol === 'http' ? '80' : '443') }
      : {}),
  });
}

async function stripeClient(): Promise<Stripe> {
  const { stripeSecretKey: key } = await getSecrets();
  const timeoutMs = config.paymentTimeoutMs;
  if (client?.key !== key || client.timeoutMs !== timeoutMs) {
    client = { key, timeoutMs, stripe: connect(key, timeoutMs) };
  }

  return client.stripe;
}

/**
 * Calls the provider and translates its errors.
 *
 * @throws an error from `payment-errors.ts` or a 502. An open circuit fails with 502 immediately.
 */
export async function callProvider<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await stripeClient();
  const effects = { tries: 0, count: 0 };
  try {
    return await throughCircuit('payment', () => countEffects(effects, () => call(stripe)), {
      inFailure: isOutage,
    });
  } catch (failure) {
    throw translate(failure, effects);
  }
}

/** True for no response, an invalid response, or a 5xx. */
function isOutage(failure: unknown): boolean | undefined {
  if (!(failure instanceof Stripe.errors.StripeError)) {
    return undefined;
  }

  return failure.statusCode === undefined || failure.statusCode >= 500;
}

function isRefusedCard(failure: unknown): failure is Stripe.errors.StripeError {
  return (
    failure instanceof Stripe.errors.StripeCardError ||
    (failure instanceof Stripe.errors.StripeError && failure.statusCode === 402)
  );
}

/** `authentication_required`, or `…_requires_action` for subscriptions and invoices. */
export function needsAction(code: string | undefined): boolean {
  return code !== undefined && /authentication_required|requires_action$/.test(code);
}

/** The object in the URL, or the start of a list page, does not exist. */
function isNotFound(failure: unknown): boolean {
  return (
    failure instanceof Stripe.errors.StripeInvalidRequestError &&
    (failure.statusCode === 404 || failure.param === 'starting_after')
  );
}

/** Checked before the message is compared, because the message contains the address. */
function isAboutEmail(failure: unknown): boolean {
  return failure instanceof Stripe.errors.StripeInvalidRequestError && failure.param === 'email';
}

function isWithoutEffects({ tries, count }: PossibleEffects): boolean {
  return tries > 0 && count === 0;
}

function translate(failure: unknown, effects: PossibleEffects): unknown {
  if (isRefusedCard(failure)) {
    return new CardDeclinedError(failure.message, failure, needsAction(failure.code));
  }
  if (failure instanceof Stripe.errors.StripeIdempotencyError) {
    return new IdempotencyKeyUsedError(failure, failure.code !== 'idempotency_key_in_use');
  }
  if (isAboutEmail(failure)) {
    return new EmailRejectedError(failure);
  }
  const isAboutMethod =
    failure instanceof Stripe.errors.StripeInvalidRequestError &&
    (failure.param === 'payment_method' || /payment ?method/i.test(failure.message));
  if (isAboutMethod) {
    return new UnknownPaymentMethodError(failure);
  }
  if (isNotFound(failure)) {
    return new ResourceMissingError(failure);
  }
  if (failure instanceof CircuitOpenError) {
    return upstream('payment', new NoEffectError(failure));
  }

  return failure instanceof Stripe.errors.StripeError
    ? upstream('payment', isWithoutEffects(effects) ? new NoEffectError(failure) : failure)
    : failure;
}
