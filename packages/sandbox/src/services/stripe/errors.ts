import { jsonAnswer } from '../../frame/http.ts';
import type { SandboxAnswer } from '../../frame/service.ts';

type StripeErrorFields = {
  readonly type?: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly code?: string;
  readonly param?: string;
  readonly declineCode?: string;
  /** Additional error fields, such as the setup intent that failed. */
  readonly extra?: Readonly<Record<string, unknown>>;
};

/** An error in Stripe's format. */
export class StripeError extends Error {
  readonly status: number;
  readonly fields: StripeErrorFields;

  constructor(status: number, message: string, fields: StripeErrorFields = {}) {
    super(message);
    this.name = 'StripeError';
    this.status = status;
    this.fields = fields;
  }
}

/** Formats an error response as Stripe does. */
export function errorAnswer(error: StripeError): SandboxAnswer {
  const { type = 'invalid_request_error', code, param, declineCode, extra } = error.fields;

  return jsonAnswer(error.status, {
    error: {
      ...(code === undefined
        ? {}
        : { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
      ...(declineCode === undefined ? {} : { decline_code: declineCode }),
      message: error.message,
      ...(param === undefined ? {} : { param }),
      ...extra,
      type,
    },
  });
}

/** A missing resource. Stripe returns 404 if the path names it, and 400 if a parameter does. */
export function noSuch(
  what: string,
  id: string,
  where: { readonly param: string; readonly inPath: boolean },
): StripeError {
  return new StripeError(where.inPath ? 404 : 400, `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param: where.param,
  });
}

/** A parameter with an invalid value. */
export function invalidParam(message: string, code: string, param: string): StripeError {
  return new StripeError(400, message, { code, param });
}
