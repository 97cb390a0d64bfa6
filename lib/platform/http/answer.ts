import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { errorBody } from '#lib/platform/errors/api-error.ts';
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

export function errorAnswer(failure: ApiError): HttpAnswer {
  return jsonAnswer(failure.statusCode, errorBody(failure), failure.headers);
}
