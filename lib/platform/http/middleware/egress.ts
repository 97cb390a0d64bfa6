import { badRequest } from '#lib/platform/errors/failures.ts';
import { jsonAnswer, maxBodyBytes, sizeInAnswer } from '#lib/platform/http/answer.ts';
import { type HttpRequest, type Middleware, warningsOf } from '#lib/platform/http/request.ts';
import type { Contract } from '#schemas/contract.ts';

/**
 * Formats the response. The contract's schema strips undeclared fields, so that hashes, keys and
 * tokens cannot leak by accident.
 */
export function egress({
  query,
  response,
  message,
  status = 200,
  created,
  envelope = 'success',
}: Contract): Middleware {
  const usual = { status, response, message };

  return {
    after: (request: HttpRequest): void => {
      if (envelope === 'raw' || request.event.state.replay) {
        return;
      }
      const success = request.event.state.isCreated ? { status: 201, ...created } : usual;
      const body = {
        ...(envelope === 'success' && { success: true }),
        ...success.response?.parse(request.response),
        ...(success.message && { message: success.message }),
        ...warningsOf(request.event),
      };
      const answer = jsonAnswer(success.status, body);
      request.event.state.answerBytes = Buffer.byteLength(String(answer.body));
      requireFitting(String(answer.body), query);
      request.response = answer;
    },
  };
}

/** A UTF-16 unit takes at most 3 bytes, so short bodies need no exact measurement. */
const maxBytesOfUnit = 3;

/** @throws 400 if a lower limit would make the response small enough. */
function requireFitting(body: string, query: Contract['query']): void {
  if (body.length <= maxBodyBytes / maxBytesOfUnit || sizeInAnswer(body) <= maxBodyBytes) {
    return;
  }
  if (query && 'limit' in query.shape) {
    throw badRequest('limit is too high: the response would exceed 6 MB');
  }
  throw new Error(`The answer has ${sizeInAnswer(body)} bytes, and may have ${maxBodyBytes}`);
}
