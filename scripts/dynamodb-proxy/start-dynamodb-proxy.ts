import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { ItemUnits } from '../dev/table/costs.ts';
import { type ExchangeContext, type ExchangeResult, exchange } from './exchange.ts';
import { createFaultSchedule, type Faults } from './fault-schedule.ts';
import { createMeter, type Meter, type MeterBook, type MeterSheet, scopeHeader } from './meter.ts';
import { connectTarget } from './target.ts';
import { errorName, parseRequest, type Request } from './wire.ts';

export type DynamoDbProxyOptions = {
  /** The database's endpoint. */
  readonly target: string;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Seeds the faults that have a probability. */
  readonly seed?: number;
  /**
   * The minimum duration of a metered call. With it, concurrent calls overlap even if the database
   * is fast.
   */
  readonly meteredLatencyMs?: number;
};

export type DynamoDbProxy = {
  readonly endpoint: string;
  readonly faults: Faults;
  readonly meter: Meter;
  /** Breaks all connections and waits until the port is free. */
  readonly close: () => Promise<void>;
};

type ProxyState = ExchangeContext & {
  readonly meter: MeterBook;
  readonly meteredLatencyMs: number;
};

const defaultMeteredLatencyMs = 10;

/** Event loop turns that a call needs to reach the proxy, including the connection. */
const arrivalTurns = 100;

/** Starts a local proxy for DynamoDB's JSON protocol that injects faults and meters costs. */
export async function startDynamoDbProxy(options: DynamoDbProxyOptions): Promise<DynamoDbProxy> {
  const state: ProxyState = {
    target: connectTarget(options.target),
    schedule: createFaultSchedule(options.seed ?? 1),
    meter: createMeter(),
    meteredLatencyMs: options.meteredLatencyMs ?? defaultMeteredLatencyMs,
  };
  const server = createServer((incoming, response) => {
    serve(state, incoming, response).catch((error: unknown) => abort(response, error));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;

  async function close(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    state.target.close();
    await closed;
  }

  return {
    endpoint: `http://127.0.0.1:${port}`,
    faults: state.schedule,
    meter: state.meter,
    close,
  };
}

async function serve(
  state: ProxyState,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAtMs = performance.now();
  const scope = incoming.headers[scopeHeader];
  const sheet = state.meter.sheetFor(scope === undefined ? undefined : String(scope));
  const work = answerCall(state, incoming, response, sheet, startedAtMs);
  sheet?.pending.add(work);
  try {
    await work;
  } finally {
    sheet?.pending.delete(work);
  }
}

async function answerCall(
  state: ProxyState,
  incoming: IncomingMessage,
  response: ServerResponse,
  sheet: MeterSheet | undefined,
  startedAtMs: number,
): Promise<void> {
  const requestText = await text(incoming);
  const request = parseRequest(incoming.headers, requestText);
  const isMetered = sheet !== undefined;
  const result = await exchange(state, request, isMetered, goneSignal(response));
  if (isMetered) {
    await delay(Math.max(0, startedAtMs + state.meteredLatencyMs - performance.now()));
    await awaitSentCalls();
    sheet.calls.push(toCall(request, result, requestText, startedAtMs));
  }
  reply(response, result);
}

/**
 * Waits until all requests that the caller has already sent are read. If this process was blocked
 * for longer than the latency, the event loop runs timers before it reads sockets.
 */
async function awaitSentCalls(): Promise<void> {
  for (let turn = 0; turn < arrivalTurns; turn += 1) {
    await nextTurn();
  }
}

function toCall(
  request: Request,
  { answer, costs, keys }: ExchangeResult,
  requestText: string,
  startedAtMs: number,
): MeterSheet['calls'][number] {
  const sumOf = (unit: keyof ItemUnits) => costs.reduce((sum, cost) => sum + cost[unit], 0);
  const indexWriteUnits = sumOf('indexWriteUnits');

  return {
    readUnits: sumOf('readUnits'),
    writeUnits: sumOf('writeUnits') + indexWriteUnits,
    indexWriteUnits,
    itemWrites: costs
      .map(({ writeUnits: units }, index) => ({ key: keys[index] ?? '', units }))
      .filter(({ units }) => units > 0),
    operation: request.operation,
    keys,
    requestBytes: Buffer.byteLength(requestText),
    responseBytes: Buffer.byteLength(answer?.body ?? ''),
    outcome: answer === undefined ? 'nothing' : (errorName(answer) ?? 'ok'),
    startedAtMs,
    endedAtMs: performance.now(),
  };
}

function reply(response: ServerResponse, { answer }: ExchangeResult): void {
  if (answer === undefined) {
    response.socket?.resetAndDestroy();

    return;
  }
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

/**
 * A disconnected caller needs no response. Any other failure is a bug in the proxy and is printed.
 */
function abort(response: ServerResponse, error: unknown): void {
  const hasCallerLeft = response.closed || response.socket?.destroyed !== false;
  if (!hasCallerLeft) {
    console.error(error);
    response.socket.destroy();
  }
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());

  return controller.signal;
}
