type Resource = { readonly Type: string; readonly Properties: Record<string, unknown> };

export type Resources = Record<string, Resource>;

type Operation = Readonly<Record<string, unknown>>;

const anyMethod = 'x-amazon-apigateway-any-method';

/** Where programs look by HEAD before people come: elsewhere it is an unknown route. */
const alsoByHead: ReadonlySet<string> = new Set(['/b/{code}']);

/**
 * Puts the gateway's routes and integrations into its own document, an OpenAPI definition with
 * AWS's extensions, and has it call the functions in a role. An endpoint is then one resource, its
 * function, in place of four, of the 500 that a stack may have.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 *
 * @throws where a resource of the gateway is not as the framework makes it.
 */
export function foldGateway(resources: Resources): void {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { Properties: route } of ofType(resources, 'AWS::ApiGatewayV2::Route')) {
    const { method, path } = readRouteKey(String(route.RouteKey));
    const operation = { ...integrationOf(resources, route), ...describePath(path) };
    const head = alsoByHead.has(path) ? { head: operation } : {};
    paths[path] = { ...paths[path], ...head, [method]: operation };
  }
  for (const [logicalId, { Type: type, Properties: properties }] of Object.entries(resources)) {
    if (type === 'AWS::ApiGatewayV2::Api') {
      const { Name: title, ProtocolType: _, ...rest } = properties;
      const Body = { openapi: '3.0.3', info: { title, version: '1' }, paths };
      resources[logicalId] = { Type: type, Properties: { ...rest, Body, FailOnWarnings: true } };
    }
    if (isFolded(type, properties)) {
      delete resources[logicalId];
    }
  }
}

function ofType(resources: Resources, type: string): readonly Resource[] {
  return Object.values(resources).filter(({ Type }) => Type === type);
}

/** `GET /leads/{organization_id}`, `* /path` or `$default`, as OpenAPI says it. */
function readRouteKey(routeKey: string): { readonly method: string; readonly path: string } {
  const [method = '', path] = routeKey.split(' ');
  if (path === undefined) {
    return { method: anyMethod, path: routeKey };
  }

  return { method: method === 'ANY' ? anyMethod : method.toLowerCase(), path };
}

/** OpenAPI wants every variable of a path declared. */
function describePath(path: string): Operation {
  const parameters = [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(path === '$default' ? { isDefaultRoute: true } : {}),
    responses: { default: { description: 'As the function answers' } },
  };
}

function integrationOf(resources: Resources, route: Record<string, unknown>): Operation {
  const target = route.Target as { 'Fn::Join'?: [string, [string, { Ref?: string }]] } | undefined;
  const logicalId = target?.['Fn::Join']?.[1][1].Ref ?? '';
  const integration = resources[logicalId]?.Properties;
  if (!integration) {
    throw new Error(`The route ${route.RouteKey} has no integration`);
  }

  return {
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(resources, integration.IntegrationUri),
      payloadFormatVersion: integration.PayloadFormatVersion,
      timeoutInMillis: integration.TimeoutInMillis,
      credentials: { 'Fn::GetAtt': ['InvocationRole', 'Arn'] },
    },
  };
}

/**
 * How the gateway calls a function, by the function's name: functions are told the gateway's address
 * where a stage has no other one, and one of the two must not wait for the other.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/import-api-aws-variables.html
 */
function uriOf(resources: Resources, integrationUri: unknown): Record<string, string> {
  const { 'Fn::GetAtt': [logicalId = ''] = [] } = integrationUri as { 'Fn::GetAtt'?: string[] };
  const name = resources[logicalId]?.Properties.FunctionName;
  if (typeof name !== 'string') {
    throw new Error(`The gateway is to call ${JSON.stringify(integrationUri)}, no named function`);
  }
  const arn = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${name}`;

  return {
    'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/${arn}/invocations`,
  };
}

function isFolded(type: string, properties: Record<string, unknown>): boolean {
  return (
    type === 'AWS::ApiGatewayV2::Route' ||
    type === 'AWS::ApiGatewayV2::Integration' ||
    (type === 'AWS::Lambda::Permission' && properties.Principal === 'apigateway.amazonaws.com')
  );
}
