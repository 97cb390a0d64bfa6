import { ApiError } from '#lib/platform/errors/api-error.ts';

/** The provider said no to this card. Nothing was changed. */
export class CardRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'CardRefused';
  }
}

/** There is no such payment method, or it is not to be used here. */
export class PaymentMethodUnknown extends Error {
  constructor(cause: unknown) {
    super('The payment method is not known', { cause });
    this.name = 'PaymentMethodUnknown';
  }
}

/** The provider takes no customer with this e-mail address. */
export class EmailRefused extends Error {
  constructor(cause: unknown) {
    super('The e-mail address is refused', { cause });
    this.name = 'EmailRefused';
  }
}

/** Something else was asked for under this key, or the same is still being worked on. */
export class IdempotencyKeyUsed extends Error {
  readonly isAnswered: boolean;

  /** @param isAnswered what was asked for first has been answered: it is told again, and not done again. */
  constructor(cause: unknown, isAnswered: boolean) {
    super('The idempotency key is used already', { cause });
    this.name = 'IdempotencyKeyUsed';
    this.isAnswered = isAnswered;
  }
}

/** The provider has nothing of that id. */
export class NoSuchThing extends Error {
  constructor(cause: unknown) {
    super('The provider has nothing of that id', { cause });
    this.name = 'NoSuchThing';
  }
}

/** Why a call failed that the provider has done nothing of, for certain. */
export class NothingDone extends Error {
  constructor(cause: unknown) {
    super('The provider has done nothing', { cause });
    this.name = 'NothingDone';
  }
}

/** Whether a 502 is one after which nothing is left at the provider, for certain. */
export function isWithoutEffect(failure: unknown): boolean {
  return failure instanceof ApiError && failure.cause instanceof NothingDone;
}
