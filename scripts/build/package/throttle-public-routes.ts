import type { Contract } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { pathsWithHead, type Resources } from './fold-gateway.ts';

type Throttling = {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
};

/** The largest part of the stage's limit that one route may use up. */
const shares = { webhooks: 0.5, others: 0.1 } as const;

/**
 * Gives each public route a limit of its own. Anybody can call them, and the stage's limit is
 * shared: without this, a flood of one page would turn away the requests of all customers.
 */
export function throttlePublicRoutes(
  resources: Resources,
  contracts: readonly Contract[] = endpoints,
): void {
  const { HttpApiStage: stage, HttpApi: api } = resources;
  if (!stage || !api) {
    return;
  }
  const { paths = {} } = (api.Properties.Body ?? {}) as { paths?: Record<string, object> };
  const whole = stage.Properties.DefaultRouteSettings as Throttling;
  const isDeployed = ({ path, method }: Contract) => method.toLowerCase() in (paths[path] ?? {});
  const routes = contracts
    .filter((contract) => contract.access.kind === 'public' && isDeployed(contract))
    .flatMap((contract) =>
      routeKeysOf(contract).map((key) => [key, part(whole, contract)] as const),
    );
  stage.Properties.RouteSettings = {
    ...Object.fromEntries(routes),
    $default: part(whole),
  };
}

function routeKeysOf({ method, path }: Contract): readonly string[] {
  return [`${method} ${path}`, ...(pathsWithHead.has(path) ? [`HEAD ${path}`] : [])];
}

function part(whole: Throttling, contract?: Contract): Throttling {
  const share = contract?.rateLimit === 'webhooks' ? shares.webhooks : shares.others;

  return {
    ThrottlingRateLimit: Math.ceil(whole.ThrottlingRateLimit * share),
    ThrottlingBurstLimit: Math.ceil(whole.ThrottlingBurstLimit * share),
  };
}
