import { ApiError } from '#lib/platform/errors/api-error.ts';

/** The card was declined. Nothing was changed. */
export class CardRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'CardRefused';
  }
}

/** The payment method does not exist or cannot be used here. */
export class PaymentMethodUnknown extends Error {
  constructor(cause: unknown) {
    super('The payment method is not known', { cause });
    this.name = 'PaymentMethodUnknown';
  }
}

/** The provider rejects the email address of the customer. */
export class EmailRefused extends Error {
  constructor(cause: unknown) {
    super('The e-mail address is refused', { cause });
    this.name = 'EmailRefused';
  }
}

/** The idempotency key was used for another request, or the same one is still in progress. */
export class IdempotencyKeyUsed extends Error {
  readonly isAnswered: boolean;

  /**
   * @param isAnswered true if the first request has finished, so that repeating it returns its
   * response without doing anything.
   */
  constructor(cause: unknown, isAnswered: boolean) {
    super('The idempotency key is used already', { cause });
    this.name = 'IdempotencyKeyUsed';
    this.isAnswered = isAnswered;
  }
}

/** The provider has no object with this id. */
export class NoSuchThing extends Error {
  constructor(cause: unknown) {
    super('The provider has nothing of that id', { cause });
    this.name = 'NoSuchThing';
  }
}

/** The cause of a failed call that certainly had no effect at the provider. */
export class NothingDone extends Error {
  constructor(cause: unknown) {
    super('The provider has done nothing', { cause });
    this.name = 'NothingDone';
  }
}

/** True for a 502 whose call certainly had no effect at the provider. */
export function isWithoutEffect(failure: unknown): boolean {
  return failure instanceof ApiError && failure.cause instanceof NothingDone;
}
