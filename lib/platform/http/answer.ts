import type { HttpAnswer } from './request.ts';

export const jsonContentType = 'application/json; charset=utf-8';

export function jsonAnswer(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return {
    statusCode,
    headers: { 'content-type': jsonContentType, ...headers },
    body: JSON.stringify(body),
  };
}
