import { checkIds } from '#lib/platform/http/path-ids.ts';
import type { Contract } from '#schemas/contract.ts';
import { buildEndpoint, type Guard, type Handler, type Operation } from './build-endpoint.ts';

/** A contract that is open to all and does not support `Idempotency-Key`. */
type PublicContract = Contract & { readonly access: { readonly kind: 'public' } } & (
    | { readonly method: 'GET' }
    | { readonly idempotent: false }
  );

/**
 * Creates the same handler as `endpoint`, but loads no code for sessions, API keys and
 * `Idempotency-Key`.
 */
export function publicEndpoint<C extends PublicContract>(
  contract: C,
  operation: Operation<C>,
): Handler {
  return buildEndpoint({ contract, operation, options: {}, guardOf });
}

function guardOf(contract: Contract): Guard {
  return {
    authentication: [],
    authorization: [{ before: ({ event }) => checkIds(contract, event) }],
    idempotency: [],
    run: (_, operation) => operation(),
  };
}
