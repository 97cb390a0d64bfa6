import { ApiError, paymentRequired } from '#lib/platform/errors/failures.ts';

/** Thrown if the card was declined. Nothing was changed. */
export class CardDeclinedError extends Error {
  /** True if the bank would have accepted the payment with the customer's confirmation. */
  readonly needsAction: boolean;

  constructor(message: string, cause: unknown, needsAction = false) {
    super(message, { cause });
    this.name = 'CardDeclinedError';
    this.needsAction = needsAction;
  }
}

/** Returns the 402 for a declined card. */
export function paymentDeclined(declined: CardDeclinedError): ApiError {
  return paymentRequired(declined.message, declined);
}

/** The payment method does not exist or cannot be used here. */
export class UnknownPaymentMethodError extends Error {
  constructor(cause: unknown) {
    super('The payment method is not known', { cause });
    this.name = 'UnknownPaymentMethodError';
  }
}

export class EmailRejectedError extends Error {
  constructor(cause: unknown) {
    super('The e-mail address is refused', { cause });
    this.name = 'EmailRejectedError';
  }
}

/**
 * Thrown if the idempotency key was used for another request, or if the same request is still in
 * progress.
 */
export class IdempotencyKeyUsedError extends Error {
  readonly isAnswered: boolean;

  /**
   * @param isAnswered true if the first request has finished, so that repeating it returns its
   * response without doing anything.
   */
  constructor(cause: unknown, isAnswered: boolean) {
    super('The idempotency key is used already', { cause });
    this.name = 'IdempotencyKeyUsedError';
    this.isAnswered = isAnswered;
  }
}

/** The provider has no object with this id. */
export class ResourceMissingError extends Error {
  constructor(cause: unknown) {
    super('The provider has nothing of that id', { cause });
    this.name = 'ResourceMissingError';
  }
}

/** The cause of a failed call that certainly had no effect at the provider. */
export class NoEffectError extends Error {
  constructor(cause: unknown) {
    super('The provider has done nothing', { cause });
    this.name = 'NoEffectError';
  }
}

/** True for a 502 whose call certainly had no effect at the provider. */
export function isWithoutEffect(failure: unknown): boolean {
  return failure instanceof ApiError && failure.cause instanceof NoEffectError;
}
