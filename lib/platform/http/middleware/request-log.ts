import { ticksMs } from '#lib/platform/clock.ts';
import { clientIp } from '#lib/platform/http/client-ip.ts';
import type { HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { newId } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log/logger.ts';
import type { Contract } from '#schemas/contract.ts';

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/;

/** Initializes the request's state, and logs one line when it is finished. */
export function requestLog({ operationId, method, path }: RequestLogOptions): Middleware {
  const begin = (request: HttpRequest): void => {
    const { event } = request;
    const given = event.headers['x-request-id'];
    event.state = {
      requestId: given && acceptableRequestId.test(given) ? given : newId(),
      beganAtTicksMs: ticksMs(),
      clientIp: clientIp(event),
      userAgent: (event.headers['user-agent'] ?? '').slice(0, 500),
      replyHeaders: {},
      replyCookies: [],
      counting: [],
      input: { params: {}, query: {}, body: {} },
    };
  };
  const finish = ({ event, response }: HttpRequest): void => {
    const { state } = event;
    logger.info('request', {
      requestId: state.requestId,
      operation: operationId,
      route: `${method} ${path}`,
      statusCode: response?.statusCode,
      durationMs: Math.round(ticksMs() - state.beganAtTicksMs),
      ...(state.claims ? { userId: state.claims.userId } : {}),
      ...(state.apiKey
        ? { userId: state.apiKey.createdById, apiKeyId: state.apiKey.apiKeyId }
        : {}),
      ...(state.operatorKeyId ? { operatorKeyId: state.operatorKeyId } : {}),
      ...(state.membership ? { organizationId: state.membership.organizationId } : {}),
    });
  };

  return { before: begin, after: finish, onError: finish };
}

type RequestLogOptions = Pick<Contract, 'operationId'> & {
  readonly method: string;
  readonly path: string;
};
