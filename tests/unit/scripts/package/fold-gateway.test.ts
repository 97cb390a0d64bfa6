import { describe, expect, it } from 'vitest';
import { foldGateway, type Resources } from '#scripts/build/package/fold-gateway.ts';

function gatewayWith(routeKey: string): Resources {
  return {
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'social-leads', ProtocolType: 'HTTP' },
    },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        IntegrationUri: { 'Fn::GetAtt': ['Function', 'Arn'] },
        PayloadFormatVersion: '2.0',
        TimeoutInMillis: 30_000,
      },
    },
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: { FunctionName: 'social-leads-dev-follow-link' },
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

describe('foldGateway', () => {
  it('routes HEAD for a short link like GET', () => {
    expect(methodsOf('GET /b/{code}').toSorted()).toEqual(['get', 'head']);
  });

  it('refers to functions by name, because they depend on the gateway', () => {
    const resources = gatewayWith('GET /b/{code}');
    foldGateway(resources);
    const body = JSON.stringify(resources.Api?.Properties.Body);

    expect(body).toContain(':function:social-leads-dev-follow-link/invocations');
    expect(body).not.toContain('"Function"');
  });

  it('throws for a function without a name', () => {
    const { Function: _, ...resources } = gatewayWith('GET /b/{code}');

    expect(() => foldGateway(resources)).toThrow('does not reference a named function');
  });

  it('adds no other methods to other routes', () => {
    expect(methodsOf('GET /bio/{organization_id}/page')).toEqual(['get']);
  });
});
