import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerControl, isControlCall } from './frame/control.ts';
import { createFaultBook, type Fault } from './frame/faults.ts';
import type { Frame } from './frame/frame.ts';
import { readRequest, refusal, writeAnswer } from './frame/http.ts';
import { createRequestLog } from './frame/request-log.ts';
import type { SandboxAnswer, SandboxRequest, SandboxService } from './frame/service.ts';
import { createServices } from './services/registry.ts';

type SandboxOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host?: string;
  /** The initial secrets by name. A reset restores them. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly clock?: () => Date;
  /** The app's client id at Google, the audience of its ID tokens. */
  readonly googleClientId?: string;
  /** The URL of the service that the networks send events to. */
  readonly serviceUrl?: string;
};

export type Sandbox = {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
};

type SandboxState = Frame & {
  /** Responses that a fault keeps open. */
  readonly held: Set<ServerResponse>;
  readonly closing: AbortSignal;
};

const dripMs = 50;

/** Starts the sandbox: local stand-ins for every external service. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', clock = () => new Date(), secrets = {} } = options;
  const { googleClientId = 'sandbox-google-client.apps.googleusercontent.com' } = options;
  const closing = new AbortController();
  let serviceUrl = options.serviceUrl;
  const services = createServices({ clock, secrets, googleClientId, serviceUrl: () => serviceUrl });
  const state = createState(services, closing.signal, (url) => {
    serviceUrl = url;
  });
  const server = createServer((message, response) => {
    void serve(state, message, response, clock()).catch((error: unknown) => {
      reportError(state, response, error);
    });
  });
  const port = await listen(server, options.port, host);

  return {
    url: `http://${host}:${port}`,
    port,
    close: () => {
      closing.abort();

      return new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
    },
  };
}

function createState(
  services: readonly SandboxService[],
  closing: AbortSignal,
  setServiceUrl: (url: string) => void,
): SandboxState {
  const faults = createFaultBook();
  const log = createRequestLog();
  const held = new Set<ServerResponse>();
  const reset = (): void => {
    faults.clear();
    log.clear();

    for (const response of held) {
      response.destroy();
    }

    for (const service of services) {
      service.reset();
    }
  };

  return { services, faults, log, held, reset, setServiceUrl, closing };
}

async function serve(
  state: SandboxState,
  message: IncomingMessage,
  response: ServerResponse,
  at: Date,
): Promise<void> {
  const request = await readRequest(message, at);

  for (const service of state.services) {
    const inside = withoutMount(service, request);

    if (inside !== undefined && service.matches(inside)) {
      await serveService(state, service, inside, response);

      return;
    }
  }

  if (isControlCall(request)) {
    writeAnswer(response, await answerControl(state, request));

    return;
  }

  state.log.record('unknown', request);
  state.log.answered(request.id, 404, true);
  writeAnswer(response, refusal(404, `No service handles ${request.method} ${request.path}`));
}

/**
 * Returns the request without the service's mount path, or undefined if the path is outside the
 * mount.
 */
function withoutMount(
  { mount }: SandboxService,
  request: SandboxRequest,
): SandboxRequest | undefined {
  if (mount === undefined) {
    return request;
  }

  return request.path.startsWith(`${mount}/`)
    ? { ...request, path: request.path.slice(mount.length) }
    : undefined;
}

async function serveService(
  state: SandboxState,
  service: SandboxService,
  request: SandboxRequest,
  response: ServerResponse,
): Promise<void> {
  state.log.record(service.name, request);
  const fault = state.faults.take(service.name, request);

  if (fault?.mode === 'refuse') {
    response.destroy();

    return;
  }

  if (fault?.mode === 'hang') {
    keepOpen(state, response);

    return;
  }

  const answer = await answerUnder(state, fault, service, request);

  if (fault?.mode === 'hang-after') {
    keepOpen(state, response);

    return;
  }

  state.log.answered(request.id, answer.status, answer.unexpected ?? false);

  if (fault?.mode === 'drip') {
    drip(state, response, answer);

    return;
  }

  writeAnswer(response, answer);
}

async function answerUnder(
  state: SandboxState,
  fault: Fault | undefined,
  service: SandboxService,
  request: SandboxRequest,
): Promise<SandboxAnswer> {
  if (fault?.mode === 'down') {
    return service.failure(503, 'The service is unavailable.');
  }

  if (fault?.mode === 'error') {
    return errorAnswer(fault, service);
  }

  const pause = fault?.mode === 'slow' ? pauseOnce(state, fault) : undefined;
  const answer = await service.answer(pause === undefined ? request : { ...request, pause });
  // Applies a `slow` fault to services that do not call `pause` themselves.
  await pause?.();

  return answer;
}

function errorAnswer(fault: Fault, service: SandboxService): SandboxAnswer {
  const answer = service.failure(fault.status ?? 500, 'Simulated error.');

  return {
    ...answer,
    headers: { ...answer.headers, ...fault.headers },
    body: typeof fault.body === 'string' ? fault.body : bodyText(fault.body, String(answer.body)),
  };
}

function bodyText(body: Exclude<Fault['body'], string>, fallback: string): string {
  return body === undefined ? fallback : JSON.stringify(body);
}

/** Waits for the delay of a `slow` fault, or until the fault is ended. */
function pauseOnce(
  { closing, faults }: SandboxState,
  { id, delayMs = 0 }: Fault,
): () => Promise<void> {
  const ended = faults.ended(id);
  let pause: Promise<void> | undefined;

  return () => {
    pause ??= Promise.race([wait(delayMs, undefined, { signal: closing }), ended]);

    return pause;
  };
}

/** Reports a bug in the sandbox to the caller. Ignores an aborted request. */
function reportError(state: SandboxState, response: ServerResponse, error: unknown): void {
  if (state.closing.aborted || response.destroyed || response.headersSent) {
    response.destroy();

    return;
  }

  writeAnswer(response, refusal(500, `Sandbox error: ${String(error)}`));
}

function keepOpen(state: SandboxState, response: ServerResponse): void {
  state.held.add(response);
  response.once('close', () => state.held.delete(response));
}

/** Starts a response and keeps sending single spaces without ending it. */
function drip(
  state: SandboxState,
  response: ServerResponse,
  { status, headers }: SandboxAnswer,
): void {
  keepOpen(state, response);
  response.writeHead(status, headers);
  const dripping = setInterval(() => response.write(' '), dripMs);
  response.once('close', () => clearInterval(dripping));
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();

      resolve(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}
