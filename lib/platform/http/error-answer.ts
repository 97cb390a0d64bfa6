import type { ApiError } from '#lib/platform/errors/api-error.ts';
import type { Contract } from '#schemas/contract.ts';
import { errorKinds, type Issue } from '#schemas/errors.ts';
import { jsonAnswer } from './answer.ts';
import { type HttpAnswer, type HttpEvent, warningsOf } from './request.ts';
import { issueOf } from './validation.ts';

type Fields = Pick<Contract, 'params' | 'query' | 'body'>;

/** The common error body, without the request id. The contract defines where its fields are. */
export function errorBody(failure: ApiError, contract: Fields = {}, event?: HttpEvent) {
  return {
    success: false,
    statusCode: failure.statusCode,
    code: failure.code,
    message: failure.publicMessage,
    error: errorKinds[failure.kind].error,
    ...(failure.code === 'VALIDATION_FAILED' && { issues: issuesOf(failure, contract) }),
    ...failure.fields,
    ...(event && warningsOf(event)),
  };
}

function issuesOf({ issues, publicMessage }: ApiError, contract: Fields): readonly Issue[] {
  return issues ?? [publicMessage].flat().map((message) => issueOf(message, contract));
}

/** An error in the form that is stored under its `Idempotency-Key`. */
export function errorAnswer(failure: ApiError, contract: Fields, event: HttpEvent): HttpAnswer {
  return jsonAnswer(failure.statusCode, errorBody(failure, contract, event), failure.headers);
}

/** A stored error with the id of the current request. Pages are returned unchanged. */
export function withRequestId(answer: HttpAnswer, requestId: string): HttpAnswer {
  const isJson = String(answer.headers?.['content-type']).startsWith('application/json');
  if (answer.statusCode < 400 || !isJson) {
    return answer;
  }

  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body ?? '{}'), requestId }) };
}
