import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import type { SandboxAnswer, SandboxRequest } from './service.ts';

/** A JSON response. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SandboxAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** An error response of the control API: `{ "error": "…" }`. */
export function refusal(status: number, error: string): SandboxAnswer {
  return jsonAnswer(status, { error });
}

/** Parses JSON, or returns undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes what is wrong with a control API body, field by field. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'body'} ${issue.message}`)
    .join('; ');
}

/** Reads a request and its whole body. */
export async function readRequest(message: IncomingMessage, at: Date): Promise<SandboxRequest> {
  const chunks: Buffer[] = [];

  for await (const chunk of message) {
    chunks.push(Buffer.from(chunk));
  }

  const bytes = Buffer.concat(chunks);
  const target = message.url ?? '/';
  const queryStart = target.indexOf('?');

  return {
    id: randomUUID(),
    at,
    method: message.method ?? 'GET',
    path: queryStart < 0 ? target : target.slice(0, queryStart),
    query: new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1)),
    headers: flattenHeaders(message),
    body: bytes.toString('utf8'),
    bytes,
    pause: async () => {},
  };
}

/** Decodes a path segment. Returns it unchanged if an escape sequence is invalid. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Sends a response and ends the request. */
export function writeAnswer(response: ServerResponse, answer: SandboxAnswer): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.body)),
  });
  response.end(answer.body);
}

function flattenHeaders(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
