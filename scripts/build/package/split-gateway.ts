import type { Resources } from './fold-gateway.ts';

/**
 * Areas with a separate HTTP API, by the first segment of their paths. An API may have 300
 * integrations, a quota that AWS does not raise, and each endpoint is one. If an API is almost
 * full, add its largest area here.
 */
export const separateAreas: readonly string[] = ['leads', 'ai'];

/** An HTTP API, and the prefix of its paths in the service's URL. */
export type HttpApi = { readonly prefix: string; readonly api: string; readonly stage: string };

/** The logical ids of the HTTP APIs in a template: the main one first. */
export function httpApisOf(resources: Readonly<Record<string, unknown>>): readonly HttpApi[] {
  return [
    { prefix: '', api: 'HttpApi', stage: 'HttpApiStage' },
    ...separateAreas.map((area) => ({
      prefix: `/${area}`,
      api: idFor(area, 'HttpApi'),
      stage: idFor(area, 'HttpApiStage'),
    })),
  ].filter(({ api }) => Object.hasOwn(resources, api));
}

function idFor(area: string, logicalId: string): string {
  return `${area[0]?.toUpperCase()}${area.slice(1)}${logicalId}`;
}

export type Paths = Record<string, Record<string, unknown>>;

type Document = {
  readonly info: { readonly title: string };
  readonly paths: Paths;
};

/** The resources that exist once per API and refer to it. */
const copied = ['HttpApiStage', 'ApiMapping', 'SlowRequestsAlarm'] as const;
const anyMethod = 'x-amazon-apigateway-any-method';
const timeoutMs = 30_000;

/**
 * Gives areas a separate HTTP API. The domain maps the first segment of a path to it, without this
 * segment. Without a custom domain, the main API forwards to it, and the functions see the
 * gateway's IP address.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mappings.html
 */
export function splitGateway(resources: Resources, { hasDomain = false } = {}): void {
  const main = resources.HttpApi;
  const document = main?.Properties.Body as Document | undefined;
  if (!main || !document) {
    return;
  }
  const { paths } = document;
  for (const area of separateAreas) {
    const prefix = `/${area}`;
    const own = Object.entries(paths).filter(([path]) => path.startsWith(`${prefix}/`));
    if (own.length === 0) {
      continue;
    }
    const api = idFor(area, 'HttpApi');
    const { $default = {} } = paths;
    const ownPaths = own.map(([path, methods]) => [path.slice(prefix.length), methods]);
    const Body = {
      ...document,
      info: { ...document.info, title: `${document.info.title}-${area}` },
      paths: { ...Object.fromEntries(ownPaths), $default },
    };
    resources[api] = { ...main, Properties: { ...main.Properties, Body } };
    for (const logicalId of copied) {
      copyFor(area, logicalId, resources);
    }
    for (const [path] of own) {
      delete paths[path];
    }
    if (!hasDomain) {
      paths[`${prefix}/{proxy+}`] = { [anyMethod]: forwardTo(api) };
    }
  }
}

function copyFor(area: string, logicalId: string, resources: Resources): void {
  const original = resources[logicalId];
  if (!original) {
    return;
  }
  const text = JSON.stringify(original)
    .replaceAll(/\{"Ref":"(HttpApi|HttpApiStage)"\}/g, (_, id) => `{"Ref":"${idFor(area, id)}"}`)
    .replaceAll('\\"route\\":', `\\"area\\":\\"${area}\\",\\"route\\":`);
  const copy = JSON.parse(text);
  if (logicalId === 'ApiMapping') {
    copy.Properties.ApiMappingKey = area;
  }
  resources[idFor(area, logicalId)] = copy;
}

function forwardTo(api: string): Record<string, unknown> {
  const uri = `https://\${${api}}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/{proxy}`;

  return {
    parameters: [{ name: 'proxy', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { default: { description: 'As the API of the area answers' } },
    'x-amazon-apigateway-integration': {
      type: 'http_proxy',
      httpMethod: 'ANY',
      uri: { 'Fn::Sub': uri },
      payloadFormatVersion: '1.0',
      timeoutInMillis: timeoutMs,
    },
  };
}
