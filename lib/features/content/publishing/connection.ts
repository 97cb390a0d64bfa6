import type { ContentPost, FailureCode } from '#lib/features/content/posts/post.ts';
import type { Credentials, Network } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';

/** Calls the account's network with a valid token. @throws NetworkError */
export type Connection = <T>(
  use: (network: Network, credentials: Credentials) => Promise<T>,
) => Promise<T>;

/** Connects to a post's network. @throws NetworkError, AccountMissingError */
export type Connect = (
  post: Pick<ContentPost, 'organizationId' | 'targetAccountId' | 'platform'>,
) => Promise<Connection>;

/** Thrown if the account is disconnected or its organization is deleted. */
export class AccountMissingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AccountMissingError';
  }
}

/** Returns a failure's `failureCode` and `failureReason`. */
export function explainFailure(failure: unknown): {
  readonly failureCode: FailureCode;
  readonly failureReason: string;
} {
  if (failure instanceof AccountMissingError) {
    return { failureCode: 'ACCOUNT_DISCONNECTED', failureReason: failure.message };
  }
  if (!(failure instanceof NetworkError)) {
    return { failureCode: 'RETRIES_EXHAUSTED', failureReason: 'The post could not be published' };
  }
  const failureReason = failure.message;
  switch (failure.kind) {
    case 'tokenInvalid':
      return { failureCode: 'TOKEN_INVALID', failureReason };
    case 'scopeMissing':
      return { failureCode: 'SCOPE_MISSING', failureReason };
    case 'refused':
    case 'notFound':
      return { failureCode: 'REFUSED', failureReason };
    default:
      return { failureCode: 'RETRIES_EXHAUSTED', failureReason };
  }
}
