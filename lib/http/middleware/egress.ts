import { jsonAnswer } from '#lib/http/answer.ts';
import type { HttpRequest, Middleware } from '#lib/http/request.ts';
import type { Contract } from '#schemas/contract.ts';

/**
 * Gives the answer its form. The payload is parsed by the contract's own schema, which drops what
 * it does not name: a hash, a key or a token cannot get out by accident.
 */
export function egress({
  response: schema,
  status = 200,
  envelope = 'success',
}: Contract): Middleware {
  return {
    after: (request: HttpRequest): void => {
      if (envelope === 'raw' || request.event.state.replay) {
        return;
      }
      const payload = schema.parse(request.response);
      const body = envelope === 'success' ? { success: true, ...payload } : payload;
      request.response = jsonAnswer(status, body);
    },
  };
}
