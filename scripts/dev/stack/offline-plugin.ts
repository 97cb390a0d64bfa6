type Headers = Record<string, unknown>;

type ServerResponse = {
  readonly isBoom?: boolean;
  readonly output?: { readonly headers: Headers };
  readonly headers: Headers;
  statusCode: number;
};

type HapiRequest = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly response: ServerResponse;
  readonly plugins: Record<string, unknown>;
  state: Record<string, readonly string[]> | null;
  mime: string | null;
};

type Step = (request: HapiRequest, toolkit: { readonly continue: symbol }) => symbol;

type HapiServer = {
  readonly ext: (event: string, step: Step) => void;
  readonly state: (name: string, options: Readonly<Record<string, unknown>>) => void;
};

type Serverless = {
  readonly service: {
    readonly provider: { environment?: unknown };
    readonly functions: Readonly<Record<string, { environment?: unknown }>>;
  };
  readonly pluginManager: { readonly plugins: readonly unknown[] };
};

type OfflineInternals = { readonly internals: () => { getApiGatewayServer: () => HapiServer } };

type Answer = { readonly statusCode: number; readonly headers: ReadonlySet<string> };

const note = 'socialLeads';
const authCookie = '__Host-auth_token';

/**
 * Makes serverless-offline respond like API Gateway where the two differ, and ignores the deployed
 * environment. It has no effect in other commands.
 */
class OfflinePlugin {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor(serverless: Serverless) {
    this.hooks = {
      'before:offline:start:init': () => removeDeployedEnvironment(serverless),
      'after:offline:start:init': () => correctAnswers(apiServerOf(serverless)),
    };
  }
}

/**
 * The deployed environment references deployed resources and would override the stack's own values.
 */
function removeDeployedEnvironment({ service }: Serverless): void {
  for (const owner of [service.provider, ...Object.values(service.functions)]) {
    delete owner.environment;
  }
}

function apiServerOf(serverless: Serverless): HapiServer {
  const offline = serverless.pluginManager.plugins.find(
    (plugin): plugin is OfflineInternals =>
      typeof plugin === 'object' && plugin !== null && 'internals' in plugin,
  );
  if (!offline) {
    throw new Error('The serverless-offline plugin is not loaded.');
  }

  return offline.internals().getApiGatewayServer();
}

function correctAnswers(server: HapiServer): void {
  // serverless-offline parses cookies and does not know this attribute.
  server.state(authCookie, { isPartitioned: true, isSecure: true, isSameSite: 'None' });
  server.ext('onPreHandler', (request, toolkit) => {
    request.state = rawCookies(request.headers.cookie ?? '');
    // serverless-offline parses JSON bodies and passes `0`, `false` and `""` as parsed values. API
    // Gateway never parses the body, so handlers always receive text.
    request.mime = 'text/plain';

    return toolkit.continue;
  });
  server.ext('onPostHandler', (request, toolkit) => {
    const { statusCode, headers } = request.response;
    request.plugins[note] = { statusCode, headers: new Set(Object.keys(headers)) } satisfies Answer;

    return toolkit.continue;
  });
  // Runs after serverless-offline's own step, which allows every origin.
  server.ext('onPreResponse', (request, toolkit) => {
    removeAddedCorsHeaders(request.response, request.plugins[note] as Answer | undefined);

    return toolkit.continue;
  });
}

/** Returns the raw cookie values by name. The service validates them itself. */
function rawCookies(header: string): Record<string, readonly string[]> {
  const cookies = new Map<string, readonly string[]>();
  for (const pair of header.split(';')) {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=?(.*?)\s*$/.exec(pair) ?? [];
    if (name !== '') {
      cookies.set(name, [...(cookies.get(name) ?? []), value]);
    }
  }

  return Object.fromEntries(cookies);
}

function removeAddedCorsHeaders(response: ServerResponse, answer: Answer | undefined): void {
  const headers = response.output?.headers ?? response.headers;
  const added = Object.keys(headers).filter(
    (name) => name.startsWith('access-control-') && !answer?.headers.has(name),
  );
  for (const name of added) {
    delete headers[name];
  }
  if (answer && !response.isBoom) {
    response.statusCode = answer.statusCode;
  }
}

// biome-ignore lint/style/noDefaultExport: the framework takes a plugin from the default export.
export default OfflinePlugin;
