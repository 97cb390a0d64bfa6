import type { CallToolResult } from '@modelcontextprotocol/server';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import type { Contract } from '#schemas/contract.ts';
import { maxToolEntries } from '#schemas/mcp.ts';
import { listOf, pagesItself, pathArguments, type ToolArguments } from './tool-contract.ts';

type Body = Readonly<Record<string, unknown>>;

/** Returns the part of an operation's response that an agent sees. */
export function toolResult(
  contract: Contract,
  given: ToolArguments,
  { statusCode, body }: HttpAnswer,
): CallToolResult {
  const parsed = JSON.parse(body ?? '{}') as Body;
  if (statusCode >= 400) {
    return failed(inArguments(contract, parsed));
  }
  const structuredContent = withNextCursor(contract, parsed, Number(given.cursor ?? 0));

  return { content: [asText(structuredContent)], structuredContent };
}

function asText(value: unknown) {
  return { type: 'text' as const, text: JSON.stringify(value) };
}

function failed({ code, message, issues, requestId }: Body): CallToolResult {
  return { content: [asText({ code, message, issues, requestId })], isError: true };
}

/** Returns the body with the list's `nextCursor`, which is always in the same place. */
function withNextCursor(contract: Contract, body: Body, offset: number) {
  const list = listOf(contract);
  if (!list) {
    return { ...body };
  }
  if (pagesItself(contract)) {
    const { nextCursor = null } = (body.pagination ?? {}) as { readonly nextCursor?: string };

    return { ...body, nextCursor };
  }
  const entries = body[list] as readonly unknown[];
  const end = offset + maxToolEntries;

  return {
    ...body,
    [list]: entries.slice(offset, end),
    nextCursor: end < entries.length ? String(end) : null,
  };
}

/** Replaces the request's field names in errors with the tool's argument names. */
function inArguments(contract: Contract, error: Body): Body {
  const names = new Map([
    ...[...pathArguments(contract)].map(([argument, name]) => [name, argument] as const),
    ['X-Organization-Id', 'organizationId'],
  ]);
  const rename = (text: unknown) =>
    String(text).replace(/^[\w-]+/, (first) => names.get(first) ?? first);
  const { message, issues } = error;

  return {
    ...error,
    ...(Array.isArray(message) && { message: message.map(rename) }),
    ...(Array.isArray(issues) && {
      issues: issues.map(({ path, message: problem, ...issue }) => ({
        ...issue,
        path: rename(path),
        message: rename(problem),
      })),
    }),
  };
}
