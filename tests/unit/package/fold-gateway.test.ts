import { describe, expect, it } from 'vitest';
import { foldGateway, type Resources } from '#scripts/package/fold-gateway.ts';

function gatewayWith(routeKey: string): Resources {
  return {
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'social-leads', ProtocolType: 'HTTP' },
    },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { IntegrationUri: 'uri', PayloadFormatVersion: '2.0', TimeoutInMillis: 30_000 },
    },
    Route: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        RouteKey: routeKey,
        Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
      },
    },
  };
}

function methodsOf(routeKey: string): readonly string[] {
  const resources = gatewayWith(routeKey);
  foldGateway(resources);
  const { paths } = (resources.Api?.Properties.Body ?? {}) as { paths: Record<string, object> };

  return Object.values(paths).flatMap((methods) => Object.keys(methods));
}

describe('the gateway', () => {
  it('leads HEAD to a short link where GET leads', () => {
    expect(methodsOf('GET /b/{code}').toSorted()).toEqual(['get', 'head']);
  });

  it('has no other method than the route says elsewhere', () => {
    expect(methodsOf('GET /bio/{organization_id}/page')).toEqual(['get']);
  });
});
