import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxAnswer, SandboxRequest } from './service.ts';

/** A JSON answer. */
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

/** A refusal of the control API: `{ "error": "…" }`. */
export function refusal(status: number, error: string): SandboxAnswer {
  return jsonAnswer(status, { error });
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads one call to its end. */
export async function readRequest(message: IncomingMessage, at: Date): Promise<SandboxRequest> {
  const chunks: Buffer[] = [];

  for await (const chunk of message) {
    chunks.push(Buffer.from(chunk));
  }

  const target = message.url ?? '/';
  const queryStart = target.indexOf('?');

  return {
    id: randomUUID(),
    at,
    method: message.method ?? 'GET',
    path: queryStart < 0 ? target : target.slice(0, queryStart),
    query: new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1)),
    headers: flattenHeaders(message),
    body: Buffer.concat(chunks).toString('utf8'),
    pause: async () => {},
  };
}

/** The text of a path's part; one with a broken escape stands as it came. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Sends an answer and ends the call. */
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
