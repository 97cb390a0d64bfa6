import { checkIds } from '#lib/platform/http/path-ids.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  buildEndpoint,
  type EndpointOptions,
  type Guard,
  type Handler,
  type Operation,
} from './build-endpoint.ts';

/** A contract that is open to all and does not support `Idempotency-Key`. */
type PublicContract = Contract & { readonly access: { readonly kind: 'public' } } & (
    | { readonly method: 'GET' }
    | { readonly idempotent: false }
  );

/**
 * Does the same as `endpoint`, without the code of sessions, API keys and idempotency records, so
 * that the function loads less.
 */
export function publicEndpoint<C extends PublicContract>(
  contract: C,
  operation: Operation<C>,
  options: EndpointOptions<C> = {},
): Handler {
  return buildEndpoint({ contract, operation, options, guardOf });
}

function guardOf(contract: Contract): Guard {
  return {
    authentication: [],
    authorization: [{ before: ({ event }) => checkIds(contract, event) }],
    idempotency: [],
    run: (_, operation) => operation(),
  };
}
