/**
 * `forbidden`: this service must not go there. `unreachable`: no connection, or it broke.
 * `timeout`: no whole answer in time. `tooLarge`: more than was asked for.
 */
export type OutboundFailureKind = 'forbidden' | 'unreachable' | 'timeout' | 'tooLarge';

/** Why a URL that a stranger has named could not be fetched. */
export class OutboundFailure extends Error {
  readonly kind: OutboundFailureKind;

  constructor(kind: OutboundFailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundFailure';
    this.kind = kind;
  }
}
