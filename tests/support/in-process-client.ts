import { setImmediate as nextTurn } from 'node:timers/promises';
import * as sdk from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';
import type { Answered } from '#scripts/dev/table/operation.ts';
import { TableError } from '#scripts/dev/table/table-error.ts';

/**
 * The places of attribute values in a request or response, in the format of the document client.
 */
type Nodes = { readonly [name: string]: Nodes | null };

/** A command of either client. The plain client's commands have values in DynamoDB's format. */
type Command = {
  readonly input: object;
  readonly clientCommand?: object;
  readonly inputKeyNodes?: Nodes;
  readonly outputKeyNodes?: Nodes;
};

export type Client = sdk.DynamoDBClient | DynamoDBDocumentClient;

type Call = { readonly input: object };
type Handler = (call: Call) => Promise<{ readonly output: object }>;
type Middleware = (next: Handler, context: object) => Handler;
type Placement = {
  readonly name?: string;
  readonly step?: string;
  readonly priority?: 'high' | 'normal' | 'low';
};

/** Performs operations, like a `Database`. */
export type Performer = {
  readonly perform: (
    operation: string,
    request: object,
    client: Client,
  ) => Answered | Promise<Answered>;
};

const anyName = '*';
const itemsOfErrors: Nodes = { Item: {}, CancellationReasons: { [anyName]: { Item: {} } } };
const order = { high: 0, normal: 1, low: 2 };
const innermost = 3;

/**
 * Makes clients call the database directly if their endpoint is `url`. A call over HTTP needs ten
 * times as much CPU time, most of it for signing and parsing. The middleware of the `initialize`
 * step runs as usual, because tests record calls and simulate crashes there. So does the middleware
 * that retries failed calls.
 */
export function callInProcess(performer: Performer, url: string): void {
  const isAtUrl = endpointTest(url);
  for (const { prototype } of [sdk.DynamoDBClient, DynamoDBDocumentClient]) {
    const { send } = prototype;
    prototype.send = async function sendInProcess(this: Client, ...args: unknown[]) {
      const [command, options] = args;
      if (options !== undefined || !(await isAtUrl(this))) {
        return Reflect.apply(send, this, args);
      }

      return perform(performer, this, command as Command);
    } as typeof send;
  }
}

function endpointTest(url: string): (client: Client) => Promise<boolean> {
  const { hostname, port } = new URL(url);
  const known = new WeakMap<Client, Promise<boolean>>();
  const test = async ({ config }: Client) => {
    const endpoint = await config.endpoint?.();

    return endpoint?.hostname === hostname && String(endpoint.port) === port;
  };

  return (client) => {
    const result = known.get(client) ?? test(client);
    known.set(client, result);

    return result;
  };
}

async function perform(performer: Performer, client: Client, command: Command): Promise<object> {
  const commandName = (command.clientCommand ?? command).constructor.name;
  const operation = commandName.replace(/Command$/, '');
  const context = { commandName, inputFilterSensitiveLog: (input: object) => input };
  let handler: Handler = async ({ input }) => {
    const request = convert(input, command.inputKeyNodes, toAttribute) as object;
    // Concurrent calls arrive one after another, and none returns immediately.
    await nextTurn();
    const output = await performOrThrow(() => performer.perform(operation, request, client));
    const answer = convert(output, command.outputKeyNodes, toNative) as object;

    return { output: { ...answer, $metadata: metadata(200) } };
  };
  for (const middleware of middlewaresOf(client).toReversed()) {
    handler = middleware(handler, context);
  }
  const { output } = await handler({ input: command.input });

  return output;
}

function metadata(httpStatusCode: number) {
  return { httpStatusCode, attempts: 1, totalRetryDelay: 0 };
}

/** The middleware that runs in process, outermost first. */
function middlewaresOf({ middlewareStack }: Client): readonly Middleware[] {
  const found: { readonly middleware: Middleware; readonly place: number }[] = [];
  middlewareStack.applyToStack({
    add: (
      middleware: Middleware,
      { name, step = 'initialize', priority = 'normal' }: Placement,
    ) => {
      if (step === 'initialize') {
        found.push({ middleware, place: order[priority] });
      } else if (name === 'retryMiddleware') {
        found.push({ middleware, place: innermost });
      }
    },
    addRelativeTo: () => undefined,
  } as never);

  return found.sort((one, other) => one.place - other.place).map(({ middleware }) => middleware);
}

async function performOrThrow(perform: () => Answered | Promise<Answered>): Promise<object> {
  try {
    const { output } = await perform();

    return output;
  } catch (error) {
    throw error instanceof TableError ? toSdkError(error) : error;
  }
}

/** Returns the error as the SDK's own class, because the service checks for it. */
function toSdkError({ name, message, details }: TableError): Error {
  const known = (sdk as unknown as Record<string, unknown>)[name];
  const stored = convert(details, itemsOfErrors, decodeBinary) as object;
  const fields = { name, message, $fault: 'client' as const, $metadata: metadata(400), ...stored };
  if (typeof known !== 'function') {
    return new sdk.DynamoDBServiceException(fields);
  }

  return Reflect.construct(known, [fields]) as Error;
}

function toAttribute(value: unknown): unknown {
  return encodeBinary(
    convertToAttr(value, { removeUndefinedValues: true, convertTopLevelContainer: true }),
  );
}

function toNative(value: unknown): unknown {
  return convertToNative(decodeBinary(value) as sdk.AttributeValue);
}

/** Replaces bytes with base64, like the SDK in the JSON that it sends. */
function encodeBinary(value: unknown): unknown {
  return holdsBinary(value)
    ? mapBinary(value, (bytes) => Buffer.from(bytes as Uint8Array).toString('base64'))
    : value;
}

function decodeBinary(value: unknown): unknown {
  return holdsBinary(value)
    ? mapBinary(value, (base64) => new Uint8Array(Buffer.from(String(base64), 'base64')))
    : value;
}

/** Few items hold bytes, and copying the others would take longer than an operation. */
function holdsBinary(value: unknown): boolean {
  const { B, BS, L, M } = value as Readonly<Record<string, unknown>>;
  if (L !== undefined) {
    return (L as readonly unknown[]).some(holdsBinary);
  }
  if (M !== undefined) {
    return Object.values(M as object).some(holdsBinary);
  }

  return B !== undefined || BS !== undefined;
}

function mapBinary(value: unknown, map: (binary: unknown) => unknown): unknown {
  const { B, BS, L, M } = value as Readonly<Record<string, unknown>>;
  if (B !== undefined) {
    return { B: map(B) };
  }
  if (BS !== undefined) {
    return { BS: (BS as readonly unknown[]).map(map) };
  }
  if (L !== undefined) {
    return { L: (L as readonly unknown[]).map((element) => mapBinary(element, map)) };
  }
  if (M !== undefined) {
    const entries = Object.entries(M as object);

    return { M: Object.fromEntries(entries.map(([name, child]) => [name, mapBinary(child, map)])) };
  }

  return value;
}

/** Converts the attribute values in a request or response. */
function convert(
  value: unknown,
  nodes: Nodes | null | undefined,
  leaf: (value: unknown) => unknown,
): unknown {
  if (nodes === undefined || value === undefined) {
    return value;
  }
  if (nodes === null) {
    return leaf(value);
  }
  const isEach = Object.keys(nodes).length === 0;
  const nodeOf = (name: string) => (isEach ? null : (nodes[name] ?? nodes[anyName]));
  if (Array.isArray(value)) {
    return value.map((element) => convert(element, nodeOf(anyName), leaf));
  }
  const converted: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value as object)) {
    if (child !== undefined) {
      converted[name] = convert(child, nodeOf(name), leaf);
    }
  }

  return converted;
}
