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
