import {
  type ErrorCode,
  type ErrorKind,
  errorCodes,
  errorKinds,
  type Issue,
} from '#schemas/errors.ts';

export type ErrorExtras = {
  /** Additional fields of the error body. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying failure. It is logged, never returned. */
  readonly cause?: unknown;
};

/**
 * An error that is returned to the caller. Its message is public. Created only by the functions in
 * `failures.ts`.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly publicMessage: string | readonly string[];
  /** The problems of the input, if the code that found them knows more than the message says. */
  readonly issues: readonly Issue[] | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string | readonly string[],
    extras: ErrorExtras & {
      readonly kind?: ErrorKind | undefined;
      readonly issues?: readonly Issue[];
    } = {},
  ) {
    super(typeof message === 'string' ? message : message.join('; '), { cause: extras.cause });
    this.name = 'ApiError';
    this.code = code;
    this.kind = extras.kind ?? errorCodes[code].kind;
    this.publicMessage = message;
    this.issues = extras.issues;
    this.fields = extras.fields ?? {};
    this.headers = extras.headers ?? {};
  }

  get statusCode(): number {
    return errorKinds[this.kind].statusCode;
  }
}
