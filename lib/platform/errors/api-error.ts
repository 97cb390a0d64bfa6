import { type ErrorKind, errorKinds } from '#schemas/errors.ts';

export type ErrorExtras = {
  /** Additional fields of the error body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying failure. It is logged, never returned. */
  readonly cause?: unknown;
};

/** An error that is returned to the caller. Its message is public. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly publicMessage: string | readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, message: string | readonly string[], extras: ErrorExtras = {}) {
    super(typeof message === 'string' ? message : message.join('; '), { cause: extras.cause });
    this.name = 'ApiError';
    this.kind = kind;
    this.publicMessage = message;
    this.fields = extras.fields ?? {};
    this.headers = extras.headers ?? {};
  }

  get statusCode(): number {
    return errorKinds[this.kind].statusCode;
  }
}

export type ErrorBody = {
  readonly success: false;
  readonly statusCode: number;
  readonly message: string | readonly string[];
  readonly error: string;
};

export function errorBody(failure: ApiError): ErrorBody {
  return {
    success: false,
    statusCode: failure.statusCode,
    message: failure.publicMessage,
    error: errorKinds[failure.kind].error,
    ...failure.fields,
  };
}
