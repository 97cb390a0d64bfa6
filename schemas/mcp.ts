import { text } from './common.ts';
import { bearerOnly, contract, memberOfCurrent } from './contract.ts';
import * as z from './zod.ts';

/** The tools with their schemas, generated from the contracts. */
export const toolsFile = 'docs/tools.json';

/** The maximum length of a list from a tool, so that a response fits into a model's context. */
export const maxToolEntries = 25;

const requestId = z
  .union([z.string().max(200), z.int()], { error: 'must be a string or an integer' })
  .meta({ example: 1 });

export const callMcp = contract({
  operationId: 'callMcp',
  method: 'POST',
  path: '/mcp',
  summary: 'List and call tools for AI agents',
  description:
    'Speaks the Model Context Protocol (Streamable HTTP, stateless, JSON responses). `tools/list` returns the tools that the caller may use, and `tools/call` calls one. A called tool has the access, limits and effects of its operation, also for `Idempotency-Key` and `X-Organization-Id`. Accepts only `Authorization: Bearer`, no cookie. Errors of the protocol have the format of JSON-RPC.',
  access: bearerOnly(memberOfCurrent('VIEWER')),
  // An idempotency key applies to the called tool.
  idempotent: false,
  envelope: 'raw',
  contentType: 'application/json',
  // Includes all permissions that the tools need.
  role: 'fileSender',
  usesPlans: true,
  assets: [toolsFile],
  body: z.object({
    jsonrpc: z.enum(['2.0']).meta({ example: '2.0' }),
    id: requestId.optional(),
    method: text({ min: 1, max: 100, example: 'tools/list' }),
    params: z.record(z.string(), z.unknown()).optional().meta({ example: {} }),
  }),
  response: z.looseObject({
    jsonrpc: z.literal('2.0').meta({ example: '2.0' }),
    id: requestId,
    result: z
      .looseObject({})
      .optional()
      .meta({ example: { tools: [] } }),
  }),
  otherResponses: [{ status: 202, when: 'The message was a notification.' }],
});
