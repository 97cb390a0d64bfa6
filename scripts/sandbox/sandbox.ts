import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerControl, type Frame, isControlCall } from './frame/control.ts';
import { createFaultBook, type Fault } from './frame/faults.ts';
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
  /** The URL of the service that the networks send events to. */
  readonly serviceUrl?: string;
};

export type Sandbox = {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
};

type Room = Frame & {
  /** Responses that a fault keeps open. */
  readonly held: Set<ServerResponse>;
  readonly closing: AbortSignal;
};

const dripMs = 50;

/** Starts the sandbox: local stand-ins for every external service. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', clock = () => new Date(), secrets = {} } = options;
  const closing = new AbortController();
  let serviceUrl = options.serviceUrl;
  const services = createServices({ clock, secrets, serviceUrl: () => serviceUrl });
  const room = createRoom(services, closing.signal, (url) => {
    serviceUrl = url;
  });
  const server = createServer((message, response) => {
    void serve(room, message, response, clock()).catch((error: unknown) => {
      explain(room, response, error);
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

function createRoom(
  services: readonly SandboxService[],
  closing: AbortSignal,
  setServiceUrl: (url: string) => void,
): Room {
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
  room: Room,
  message: IncomingMessage,
  response: ServerResponse,
  at: Date,
): Promise<void> {
  const request = await readRequest(message, at);

  for (const service of room.services) {
    const inside = withoutMount(service, request);

    if (inside !== undefined && service.matches(inside)) {
      await serveService(room, service, inside, response);

      return;
    }
  }

  if (isControlCall(request)) {
    writeAnswer(response, await answerControl(room, request));

    return;
  }

  room.log.record('unknown', request);
  room.log.answered(request.id, 404, true);
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
  room: Room,
  service: SandboxService,
  request: SandboxRequest,
  response: ServerResponse,
): Promise<void> {
  room.log.record(service.name, request);
  const fault = room.faults.take(service.name, request);

  if (fault?.mode === 'refuse') {
    response.destroy();

    return;
  }

  if (fault?.mode === 'hang') {
    hold(room, response);

    return;
  }

  const answer = await answerUnder(room, fault, service, request);

  if (fault?.mode === 'hang-after') {
    hold(room, response);

    return;
  }

  room.log.answered(request.id, answer.status, answer.unexpected ?? false);

  if (fault?.mode === 'drip') {
    drip(room, response, answer);

    return;
  }

  writeAnswer(response, answer);
}

async function answerUnder(
  room: Room,
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

  const pause = fault?.mode === 'slow' ? pauseOnce(fault.delayMs ?? 0, room.closing) : undefined;
  const answer = await service.answer(pause === undefined ? request : { ...request, pause });
  // Applies a `slow` fault to services that never call `pause` themselves.
  await pause?.();

  return answer;
}

function errorAnswer(fault: Fault, service: SandboxService): SandboxAnswer {
  const answer = service.failure(fault.status ?? 500, 'Simulated error.');

  return {
    ...answer,
    headers: { ...answer.headers, ...fault.headers },
    body: typeof fault.body === 'string' ? fault.body : bodyText(fault.body, answer.body),
  };
}

function bodyText(body: Exclude<Fault['body'], string>, fallback: string): string {
  return body === undefined ? fallback : JSON.stringify(body);
}

function pauseOnce(delayMs: number, signal: AbortSignal): () => Promise<void> {
  let pause: Promise<void> | undefined;

  return () => {
    pause ??= wait(delayMs, undefined, { signal });

    return pause;
  };
}

/** Reports a bug in the sandbox itself to the caller. An aborted request is dropped. */
function explain(room: Room, response: ServerResponse, error: unknown): void {
  if (room.closing.aborted || response.destroyed || response.headersSent) {
    response.destroy();

    return;
  }

  writeAnswer(response, refusal(500, `Sandbox error: ${String(error)}`));
}

function hold(room: Room, response: ServerResponse): void {
  room.held.add(response);
  response.once('close', () => room.held.delete(response));
}

/** Starts a response and keeps sending single blanks without ever ending it. */
function drip(room: Room, response: ServerResponse, { status, headers }: SandboxAnswer): void {
  hold(room, response);
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
