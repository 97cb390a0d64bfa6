import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { withReadAhead } from '#lib/platform/db/read-ahead.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { authenticate } from '#lib/platform/http/middleware/authenticate.ts';
import { authorize } from '#lib/platform/http/middleware/authorize.ts';
import { egress } from '#lib/platform/http/middleware/egress.ts';
import { errorEnvelope } from '#lib/platform/http/middleware/error-envelope.ts';
import { idempotency } from '#lib/platform/http/middleware/idempotency.ts';
import { jsonBody } from '#lib/platform/http/middleware/json-body.ts';
import { lookAhead } from '#lib/platform/http/middleware/look-ahead.ts';
import {
  appendHeaders,
  organizationRateLimit,
  rateLimit,
} from '#lib/platform/http/middleware/rate-limit.ts';
import { requestLog } from '#lib/platform/http/middleware/request-log.ts';
import { requestMetrics } from '#lib/platform/http/middleware/request-metrics.ts';
import { responseHeaders } from '#lib/platform/http/middleware/response-headers.ts';
import { validate } from '#lib/platform/http/middleware/validate.ts';
import { actingWith } from '#lib/platform/identity/acting-key.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { type RateLimitState, rateLimitHeaders } from '#lib/platform/rate-limits/rate-limiter.ts';
import type { Access, Contract, ReadonlyDeep } from '#schemas/contract.ts';
import type * as z from '#schemas/zod.ts';
import type {
  Caller,
  HttpAnswer,
  HttpEvent,
  HttpRequest,
  Intent,
  Middleware,
  Once,
  RequestState,
  SignedInCaller,
  Tenant,
} from './request.ts';

type CallerOf<A extends Access> = A extends { kind: 'public' }
  ? unknown
  : { readonly caller: A extends { peopleOnly: true } ? SignedInCaller : Caller };
type TenantOf<A extends Access> = A extends { kind: 'member' }
  ? Tenant
  : A extends { organization: 'optional' }
    ? { readonly selected: Membership | undefined }
    : unknown;

/** The validated input of an operation. It contains only what the contract declares. */
export type OperationRequest<C extends Contract> = {
  readonly params: C extends { params?: infer P extends z.ZodObject } ? z.output<P> : never;
  readonly query: C extends { query?: infer Q extends z.ZodObject } ? z.output<Q> : never;
  readonly body: C extends { body?: infer B extends z.ZodObject } ? z.output<B> : never;
  readonly intent: Intent;
  readonly once: Once;
  readonly clientIp: string;
  readonly userAgent: string;
  /** The original gateway event, for operations that need raw headers or bytes. */
  readonly event: APIGatewayProxyEventV2;
  readonly reply: {
    readonly header: (name: string, value: string) => void;
    readonly cookie: (serialized: string) => void;
    /** The operation returns the contract's `created` response, with status 201. */
    readonly created: () => void;
    /** Adds headers for limits that the operation counts itself. */
    readonly rateLimits: (states: readonly RateLimitState[]) => void;
  };
} & CallerOf<C['access']> &
  TenantOf<C['access']>;

type CreatedOf<C extends Contract> = C extends {
  created: { response: infer R extends z.ZodObject };
}
  ? ReadonlyDeep<z.input<R>>
  : never;

type Answer<C extends Contract> = C extends { envelope: 'raw' }
  ? Promise<HttpAnswer>
  : C extends { response: infer R extends z.ZodObject }
    ? Promise<ReadonlyDeep<z.input<R>> | CreatedOf<C>>
    : Promise<void>;

export type Operation<C extends Contract> = (request: OperationRequest<C>) => Answer<C>;

/**
 * The request before authorization: valid input, the token's user and the requested organization.
 * The creator of an API key is not known yet.
 */
export type AheadRequest<C extends Contract> = Pick<
  OperationRequest<C>,
  'params' | 'query' | 'body'
> &
  (C['access'] extends { peopleOnly: true } ? { readonly userId: string } : unknown) &
  (C['access'] extends { kind: 'member' } ? Pick<Tenant, 'organizationId'> : unknown);

export type EndpointOptions<C extends Contract> = {
  /**
   * Reads that the operation starts with. They run in parallel with loading session and membership,
   * so the caller may not be authorized: do nothing but read.
   */
  readonly ahead?: (request: AheadRequest<C>) => Promise<unknown>;
};

/**
 * Creates the Lambda handler of a contract: the middleware stack around its operation. Expects
 * gateway events with payload format 2.0.
 */
export function endpoint<C extends Contract>(
  contract: C,
  operation: Operation<C>,
  { ahead }: EndpointOptions<C> = {},
) {
  const stack = middy<HttpEvent, HttpAnswer, unknown, Context>();
  const middlewares: readonly Middleware[] = [
    requestLog(contract),
    requestMetrics(contract),
    responseHeaders(),
    httpErrorHandler({ logger: false }) as unknown as Middleware,
    errorEnvelope(contract),
    settleActivity,
    authenticate(contract),
    ...(ahead ? [lookAhead(contract, ahead as Parameters<typeof lookAhead>[1])] : []),
    rateLimit(contract),
    authorize(contract),
    organizationRateLimit(),
    ...(contract.body ? [jsonBody()] : []),
    validate(contract),
    idempotency(contract),
    egress(contract),
  ];
  for (const middleware of middlewares) {
    stack.use(middleware as Parameters<typeof stack.use>[0]);
  }
  const handler = stack.handler(
    async (event) =>
      event.state.replay ??
      (await actingWith(
        event.state.apiKey,
        async () => (await operation(requestOf<C>(event))) as HttpAnswer,
      )),
  );
  const handle = handler as unknown as (
    event: APIGatewayProxyEventV2,
    context: Context,
  ) => Promise<HttpAnswer>;

  return ahead
    ? (event: APIGatewayProxyEventV2, context: Context) =>
        withReadAhead(() => handle(event, context))
    : handle;
}

/** Lambda freezes the function after the response, so pending work is awaited first. */
const settle = async ({ event }: HttpRequest): Promise<void> => {
  await Promise.all([event.state.activity, event.state.ahead, ...event.state.counting]);
};
const settleActivity: Middleware = { after: settle, onError: settle };

/** Without an `Idempotency-Key`, every request is unique. */
const justOnce: Once = (act) => act(nothingElse);

function requestOf<C extends Contract>(event: HttpEvent): OperationRequest<C> {
  const { state } = event;
  const { membership, input } = state;

  return {
    params: input.params,
    query: input.query,
    body: input.body,
    intent: state.intent ?? { id: newId(), isRepeated: false },
    once: state.once ?? justOnce,
    clientIp: state.clientIp,
    userAgent: state.userAgent,
    event,
    reply: {
      header: (name: string, value: string) => {
        state.replyHeaders[name.toLowerCase()] = value;
      },
      cookie: (serialized: string) => {
        state.replyCookies.push(serialized);
      },
      created: () => {
        state.isCreated = true;
      },
      rateLimits: (states: readonly RateLimitState[]) => {
        appendHeaders(state.replyHeaders, rateLimitHeaders(states));
      },
    },
    ...callerOf(state),
    selected: membership,
    ...(membership ? { organizationId: membership.organizationId, role: membership.role } : {}),
  } as unknown as OperationRequest<C>;
}

function callerOf({ session, apiKey }: RequestState): {
  readonly caller?: Caller | SignedInCaller;
} {
  if (apiKey) {
    return { caller: { userId: apiKey.createdById, apiKey } };
  }

  return session
    ? { caller: { userId: session.userId, sessionId: session.sessionId, session } }
    : {};
}
