/**
 * `forbidden`: the URL is not allowed. `unreachable`: the connection failed or broke. `timeout`: no
 * complete response in time. `tooLarge`: the response exceeds the limit.
 */
export type OutboundFailureKind = 'forbidden' | 'unreachable' | 'timeout' | 'tooLarge';

/** The reason why a user-supplied URL could not be fetched. */
export class OutboundError extends Error {
  readonly kind: OutboundFailureKind;

  constructor(kind: OutboundFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.kind = kind;
  }
}
