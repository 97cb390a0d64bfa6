import { describe, expect, it } from 'vitest';
import { acceptsAnonymous, type Contract, routePath } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import type { Resources } from '#scripts/build/package/fold-gateway.ts';
import { throttlePublicRoutes } from '#scripts/build/package/throttle-public-routes.ts';

function pathsOf(contracts: readonly Contract[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method } of contracts.map((one) => ({ ...one, path: routePath(one) }))) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: {} };
  }

  return paths;
}

const DefaultRouteSettings = { ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 2_000 };

function settingsOf(deployed: readonly Contract[]): Record<string, object> {
  const resources: Resources = {
    HttpApi: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Body: { paths: pathsOf(deployed) } } },
    HttpApiStage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { DefaultRouteSettings } },
  };
  throttlePublicRoutes(resources);

  return resources.HttpApiStage?.Properties.RouteSettings as Record<string, object>;
}

describe('throttlePublicRoutes', () => {
  it('gives every public route, and no other, a limit below the limit of the stage', () => {
    const settings = settingsOf(endpoints);
    const publicRoutes = endpoints
      .filter(({ access }) => acceptsAnonymous(access))
      .map((contract) => `${contract.method} ${routePath(contract)}`);

    expect(Object.keys(settings).toSorted()).toEqual(
      [...publicRoutes, 'HEAD /b/{code}', '$default'].toSorted(),
    );
    expect(settings).toHaveProperty(['POST /organizations/invitations/accept']);
    expect(settings['GET /openapi.json']).toEqual({
      ThrottlingRateLimit: 100,
      ThrottlingBurstLimit: 200,
    });
    expect(settings['POST /webhooks/{platform}']).toEqual({
      ThrottlingRateLimit: 500,
      ThrottlingBurstLimit: 1_000,
    });
  });

  it('names no route that is not deployed, because the gateway would reject it', () => {
    expect(Object.keys(settingsOf([]))).toEqual(['$default']);
  });
});
