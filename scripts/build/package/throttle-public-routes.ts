import { acceptsAnonymous, type Contract, routePath } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { pathsWithHead, type Resources } from './fold-gateway.ts';
import { httpApisOf, type Paths } from './split-gateway.ts';

type Throttling = {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
};

/** The largest share of the stage's limit that one route may use. */
const shares = { webhooks: 0.5, others: 0.1 } as const;

/**
 * Gives each route that accepts requests without credentials a separate limit. Anybody can call
 * these routes, and all routes share the limit of an API's stage. Without this, a flood of requests
 * for one page would block the requests of all customers.
 */
export function throttlePublicRoutes(
  resources: Resources,
  contracts: readonly Contract[] = endpoints,
): void {
  const open = contracts.filter(({ access }) => acceptsAnonymous(access));
  for (const { prefix, api, stage } of httpApisOf(resources)) {
    const { Body } = resources[api]?.Properties ?? {};
    const { paths = {} } = (Body ?? {}) as { paths?: Paths };
    const { Properties: settings } = resources[stage] ?? {};
    if (settings) {
      const whole = settings.DefaultRouteSettings as Throttling;
      const routes = open
        .filter(({ path }) => path.startsWith(prefix))
        .map((contract) => ({
          method: contract.method,
          path: routePath(contract).slice(prefix.length),
          rateLimit: contract.rateLimit,
        }))
        .filter(({ path, method }) => method.toLowerCase() in (paths[path] ?? {}))
        .flatMap(({ method, path, rateLimit }) =>
          routeKeysOf(method, path).map((key) => [key, part(whole, rateLimit)] as const),
        );
      settings.RouteSettings = { ...Object.fromEntries(routes), $default: part(whole) };
    }
  }
}

function routeKeysOf(method: string, path: string): readonly string[] {
  return [`${method} ${path}`, ...(pathsWithHead.has(path) ? [`HEAD ${path}`] : [])];
}

function part(whole: Throttling, rateLimit?: Contract['rateLimit']): Throttling {
  const share = rateLimit === 'webhooks' ? shares.webhooks : shares.others;

  return {
    ThrottlingRateLimit: Math.ceil(whole.ThrottlingRateLimit * share),
    ThrottlingBurstLimit: Math.ceil(whole.ThrottlingBurstLimit * share),
  };
}
