import type { ErrorCode } from './operations.ts';

/** A problem in the input, for `VALIDATION_FAILED`. */
export type Issue = {
  readonly in: 'body' | 'query' | 'path' | 'header';
  readonly path: string;
  readonly rule: string;
  readonly message: string;
};

type Details = {
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | undefined;
  readonly retryAfter?: string | undefined;
  readonly cause?: unknown;
};

/** A failed call: an error response, or `status` 0 if there was no response. */
export class SocialLeadsError extends Error {
  override readonly name = 'SocialLeadsError';
  readonly status: number;
  /** The code that programs can react to. Later versions may have more codes. */
  readonly code: ErrorCode | undefined;
  /** Helps support to find the request in our logs. */
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];
  /** The whole response body. Some errors have additional fields, such as `state`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter: string | undefined;

  constructor(message: string, { status, body = {}, requestId, retryAfter, cause }: Details) {
    super(message, { cause });
    this.status = status;
    this.code = body.code as ErrorCode | undefined;
    this.requestId = requestId;
    this.issues = (body.issues ?? []) as readonly Issue[];
    this.body = body;
    this.retryAfter = retryAfter;
  }
}
