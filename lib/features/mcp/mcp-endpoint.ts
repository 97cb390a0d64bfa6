import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import {
  around,
  contractOf,
  endpointUnder,
  type Handler,
} from '#lib/platform/http/build-endpoint.ts';
import { isOtherSite } from '#lib/platform/http/cross-site.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { maxRequestBytes, rawBody } from '#lib/platform/http/raw-body.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import { type Contract, snakeCase } from '#schemas/contract.ts';
import { callMcp } from '#schemas/mcp.ts';
import { serve, type ToolCall } from './serve.ts';
import { toolsFor } from './tool-catalog.ts';
import { toolContractOf, toolEvent } from './tool-contract.ts';
import { toolResult } from './tool-result.ts';

/**
 * Loads the function of each tool's operation, by operation id. Most calls need only one of them.
 */
export type ToolFunctions = Readonly<Record<string, () => Promise<{ readonly handler: Handler }>>>;

type Tool = { readonly contract: Contract; readonly handler: Handler };

/**
 * Returns the handler of `POST /mcp`. Each request passes through the middleware of one endpoint:
 * the called tool's or its own. So it is authenticated, counted and logged once.
 */
export function mcpEndpoint(functions: ToolFunctions): Handler {
  const findTool = toolFinder(functions);
  const own = endpoint(callMcp, ({ event, body, role }) =>
    serve(
      { headers: event.headers, message: body },
      { tools: () => toolsFor(role), call: async () => undefined },
    ),
  );

  return around(own, () => async (event, context) => {
    const answer = await answerCall(event, context, findTool);

    return answer ?? own(event, context);
  });
}

type FindTool = (name: string) => Promise<Tool | undefined>;

function toolFinder(functions: ToolFunctions): FindTool {
  const byName = new Map(Object.entries(functions).map(([id, load]) => [snakeCase(id), load]));
  const known = new Map<string, Promise<Tool>>();

  return async (name) => {
    const load = byName.get(name);
    if (!load) {
      return undefined;
    }
    const tool = known.get(name) ?? loadTool(load);
    known.set(name, tool);

    return tool;
  };
}

async function loadTool(load: ToolFunctions[string]): Promise<Tool> {
  const { handler } = await load();
  const contract = contractOf(handler);
  if (!contract) {
    throw new Error('A tool is not an endpoint');
  }

  return { contract, handler: endpointUnder(handler, toolContractOf) };
}

/** Calls a tool. Returns `undefined` for any other message, and for invalid calls. */
async function answerCall(
  event: APIGatewayProxyEventV2,
  context: Context,
  findTool: FindTool,
): Promise<HttpAnswer | undefined> {
  const message = callIn(event);
  if (!message || isOtherSite(event)) {
    return undefined;
  }
  let called: HttpAnswer | undefined;
  const call = async ({ name, arguments: given, idempotencyKey }: ToolCall) => {
    const tool = await findTool(name);
    if (!tool) {
      return undefined;
    }
    called = await tool.handler(toolEvent(event, tool.contract, given, idempotencyKey), context);

    return toolResult(tool.contract, given, called);
  };
  const answer = await serve({ headers: event.headers, message }, { tools: () => [], call });
  if (!called || isUnauthenticated(called)) {
    return called;
  }

  return { ...answer, headers: { ...called.headers, ...answer.headers } };
}

function callIn(event: APIGatewayProxyEventV2): unknown {
  const raw = rawBody(event);
  const message = raw.length > maxRequestBytes ? undefined : parseJson(raw.toString());
  const parsed = callMcp.body.safeParse(message);

  return parsed.data?.method === 'tools/call' ? parsed.data : undefined;
}

function isUnauthenticated({ headers = {} }: HttpAnswer): boolean {
  return 'www-authenticate' in headers;
}
