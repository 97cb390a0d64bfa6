export type Resource = {
  readonly Type: string;
  readonly DependsOn?: string | readonly string[];
  readonly Properties: Record<string, unknown>;
};

export type Resources = Record<string, Resource>;

/**
 * Set inside the document, because API Gateway ignores the CloudFormation property if a document is
 * imported.
 */
const endpointExtension = 'x-amazon-apigateway-endpoint-configuration';

/** The framework's name for the WebSocket API, which can't be imported from a document. */
const websocketApi = 'WebsocketsApi';

type Operation = Readonly<Record<string, unknown>>;

const invocationRole = { 'Fn::GetAtt': ['InvocationRole', 'Arn'] };

const anyMethod = 'x-amazon-apigateway-any-method';

/**
 * Networks check short links with HEAD before people open them. For other paths, HEAD is an unknown
 * route.
 */
export const pathsWithHead: ReadonlySet<string> = new Set(['/b/{code}']);

/**
 * Moves the gateway's routes and integrations into one OpenAPI document with AWS's extensions, and
 * lets the gateway call functions through a role. An endpoint then needs one resource, its
 * function, instead of four. A stack may have 500 resources.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 *
 * The WebSocket API keeps its routes, and calls its function through the same role.
 *
 * With a custom domain, the API no longer responds at the URL that AWS assigns.
 *
 * @throws if a gateway resource does not have the format that the framework generates.
 */
export function foldGateway(resources: Resources, { hasDomain = false } = {}): void {
  const paths: Record<string, Record<string, Operation>> = {};
  const routes = ofType(resources, 'AWS::ApiGatewayV2::Route').filter(isOfHttpApi);
  for (const { Properties: route } of routes) {
    const { method, path } = readRouteKey(String(route.RouteKey));
    const operation = { ...integrationOf(resources, route), ...describePath(path) };
    const head = pathsWithHead.has(path) ? { head: operation } : {};
    paths[path] = { ...paths[path], ...head, [method]: operation };
  }
  for (const [logicalId, { Type: type, Properties: properties }] of Object.entries(resources)) {
    if (isOfWebsocketApi(logicalId, properties)) {
      if (type === 'AWS::ApiGatewayV2::Integration') {
        properties.CredentialsArn = invocationRole;
      }
      continue;
    }
    if (type === 'AWS::ApiGatewayV2::Api') {
      const { Name: title, ProtocolType: _, ...rest } = properties;
      const closed = hasDomain ? { [endpointExtension]: { disableExecuteApiEndpoint: true } } : {};
      const Body = { openapi: '3.0.3', info: { title, version: '1' }, ...closed, paths };
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

function isOfHttpApi({ Properties }: Resource): boolean {
  return !isOfWebsocketApi('', Properties);
}

function isOfWebsocketApi(logicalId: string, { ApiId }: Record<string, unknown>): boolean {
  return (
    logicalId === websocketApi || (ApiId as { Ref?: string } | undefined)?.Ref === websocketApi
  );
}

/** Parses `GET /leads/{organization_id}`, `* /path` or `$default`. */
function readRouteKey(routeKey: string): { readonly method: string; readonly path: string } {
  const [method = '', path] = routeKey.split(' ');
  if (path === undefined) {
    return { method: anyMethod, path: routeKey };
  }

  return { method: method === 'ANY' ? anyMethod : method.toLowerCase(), path };
}

/** OpenAPI requires a declaration of every path variable. */
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
      credentials: invocationRole,
    },
  };
}

/**
 * The URI for calling a function, built from the function's name. A reference to the function would
 * be circular, because functions receive the gateway's URL on stages without a custom domain.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/import-api-aws-variables.html
 */
function uriOf(resources: Resources, integrationUri: unknown): Record<string, string> {
  const { 'Fn::GetAtt': [logicalId = ''] = [] } = integrationUri as { 'Fn::GetAtt'?: string[] };
  const name = resources[logicalId]?.Properties.FunctionName;
  if (typeof name !== 'string') {
    throw new Error(
      `The integration ${JSON.stringify(integrationUri)} does not reference a named function`,
    );
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
