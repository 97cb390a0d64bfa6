import { authenticate } from '#lib/platform/http/middleware/authenticate.ts';
import { authorize } from '#lib/platform/http/middleware/authorize.ts';
import { idempotency } from '#lib/platform/http/middleware/idempotency.ts';
import { organizationRateLimit } from '#lib/platform/http/middleware/rate-limit.ts';
import { actingWith } from '#lib/platform/identity/acting-key.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  buildEndpoint,
  type EndpointOptions,
  type Guard,
  type Handler,
  type Operation,
} from './build-endpoint.ts';

/** Creates the Lambda handler of a contract: the middleware stack around its operation. */
export function endpoint<C extends Contract>(
  contract: C,
  operation: Operation<C>,
  options: EndpointOptions<C> = {},
): Handler {
  return buildEndpoint({ contract, operation, options, guardOf });
}

function guardOf(contract: Contract): Guard {
  return {
    authentication: [authenticate(contract)],
    authorization: [authorize(contract), organizationRateLimit()],
    idempotency: [idempotency(contract)],
    run: actingWith,
  };
}
