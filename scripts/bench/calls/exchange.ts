import type { IncomingHttpHeaders } from 'node:http';

/** A function's call to a vendor, and the response. */
export type Exchange = {
  /** `POST /v1/customers`, or the operation in AWS's header. */
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
