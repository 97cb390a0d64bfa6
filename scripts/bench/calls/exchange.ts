import type { IncomingHttpHeaders } from 'node:http';

/** A call that a function made to a vendor, and the answer. */
export type Exchange = {
  /** `POST /v1/customers`, or the operation where AWS names it in a header. */
  readonly operation: string;
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  readonly response: string;
};

export function operationOf(
  method: string | undefined,
  url: string | undefined,
  headers: IncomingHttpHeaders,
): string {
  return String(headers['x-amz-target'] ?? `${method} ${url}`);
}
