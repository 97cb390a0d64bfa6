import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { egress } from '#lib/platform/http/middleware/egress.ts';
import { errorEnvelope } from '#lib/platform/http/middleware/error-envelope.ts';
import { appendHeaders, rateLimit } from '#lib/platform/http/middleware/rate-limit.ts';
import { requestLog } from '#lib/platform/http/middleware/request-log.ts';
import { requestMetrics } from '#lib/platform/http/middleware/request-metrics.ts';
import { responseHeaders } from '#lib/platform/http/middleware/response-headers.ts';
import { type Rules, validate } from '#lib/platform/http/middleware/validate.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { type RateLimitState, rateLimitHeaders } from '#lib/platform/rate-limits/rate-limiter.ts';
import type { Access, Contract, ReadonlyDeep } from '#schemas/contract.ts';
import type * as z from '#schemas/zod.ts';
import { prepareBody } from './raw-body.ts';
import type {
  Caller,
  HttpAnswer,
  HttpEvent,
  HttpRequest,
  Idempotently,
  Intent,
  Middleware,
  RequestState,
  SignedInCaller,
  Tenant,
} from './request.ts';

type CallerOf<A extends Access> = A extends { kind: 'public' | 'operator' }
  ? unknown
  : { readonly caller: A extends { peopleOnly: true } ? SignedInCaller : Caller };
type CallerOrNobody<C extends Contract> = C['access'] extends { anonymous: true }
  ? CallerOf<C['access']> | ({ readonly caller?: undefined } & AnonymousInput<C>)
  : CallerOf<C['access']>;
type AnonymousInput<C extends Contract> = C extends {
  anonymousBody: (given: never) => infer B extends z.ZodObject;
}
  ? { readonly body: z.output<B> }
  : unknown;
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
  readonly idempotently: Idempotently;
  readonly clientIp: string;
  readonly userAgent: string;
  /** The original gateway event, for operations that need raw headers or bytes. */
  readonly event: APIGatewayProxyEventV2;
  readonly reply: {
    readonly header: (name: string, value: string) => void;
    readonly cookies: (...serialized: readonly string[]) => void;
    /** The operation returns the contract's `created` response, with status 201. */
    readonly created: () => void;
    /** Adds headers for limits that the operation counts itself. */
    readonly rateLimits: (states: readonly RateLimitState[]) => void;
  };
} & CallerOrNobody<C> &
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

/** The valid fields of a request. */
export type ValidRequest<C extends Contract> = {
  readonly params: OperationRequest<C>['params'];
  readonly query: Partial<OperationRequest<C>['query']>;
  readonly body: Partial<OperationRequest<C>['body']>;
};

export type EndpointOptions<C extends Contract> = {
  /** See `Rules`. */
  readonly rules?: (valid: ValidRequest<C>) => readonly string[];
  /**
   * Errors that depend on the time, so that they are reported together with other errors. The
   * operation checks them again.
   */
  readonly timeRules?: (valid: ValidRequest<C>) => readonly string[];
};

/** The parts of the middleware stack that depend on who may call the operation. */
export type Guard = {
  /** Run before the request is counted. */
  readonly authentication: readonly Middleware[];
  /** Run before the body is read. */
  readonly authorization: readonly Middleware[];
  /** Run after the input is validated. */
  readonly idempotency: readonly Middleware[];
  readonly run: (state: RequestState, operation: () => Promise<HttpAnswer>) => Promise<HttpAnswer>;
};

type Definition = {
  readonly contract: Contract;
  readonly operation: Operation<Contract>;
  readonly options: EndpointOptions<Contract>;
  readonly guardOf: (contract: Contract) => Guard;
};

const definitions = new WeakMap<object, Definition>();

/** Returns the contract of the handler of an endpoint. */
export function contractOf(handler: object): Contract | undefined {
  return definitions.get(handler)?.contract;
}

/** Returns a handler with the same operation under a different contract. */
export function endpointUnder(handler: object, change: (contract: Contract) => Contract): Handler {
  const definition = definitions.get(handler);
  if (!definition) {
    throw new Error('The handler does not belong to an endpoint');
  }

  return buildEndpoint({ ...definition, contract: change(definition.contract) });
}

/**
 * Returns a handler that can respond to some events itself. It keeps the contract of the given
 * handler.
 */
export function around(handler: Handler, answer: (handler: Handler) => Handler): Handler {
  const outer = answer(handler);
  const definition = definitions.get(handler);
  if (definition) {
    definitions.set(outer, definition);
  }

  return outer;
}

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpAnswer>;

/**
 * Creates the Lambda handler of a contract: the middleware stack around its operation. Expects
 * gateway events with payload format 2.0.
 */
export function buildEndpoint(definition: Definition): Handler {
  const { contract, operation, options, guardOf } = definition;
  const { rules, timeRules } = options;
  const { authentication, authorization, idempotency, run } = guardOf(contract);
  const stack = middy<HttpEvent, HttpAnswer, unknown, Context>();
  const middlewares: readonly Middleware[] = [
    requestLog(contract),
    requestMetrics(contract),
    responseHeaders(contract),
    httpErrorHandler({ logger: false }) as unknown as Middleware,
    errorEnvelope(contract),
    settleActivity,
    ...authentication,
    rateLimit(contract),
    ...authorization,
    ...(contract.body ? [prepareBody(), httpJsonBodyParser() as unknown as Middleware] : []),
    validate(contract, rules as Rules | undefined, timeRules as Rules | undefined),
    ...idempotency,
    egress(contract),
  ];
  for (const middleware of middlewares) {
    stack.use(middleware as Parameters<typeof stack.use>[0]);
  }
  const handler = stack.handler(
    async (event) =>
      event.state.replay ??
      (await run(
        event.state,
        async () => (await operation(requestOf(event))) as unknown as HttpAnswer,
      )),
  ) as unknown as Handler;

  definitions.set(handler, definition);

  return handler;
}

/** Lambda freezes the function after the response, so pending work is awaited first. */
const settle = async ({ event }: HttpRequest): Promise<void> => {
  await Promise.all([event.state.activity, ...event.state.counting]);
};
const settleActivity: Middleware = { after: settle, onError: settle };

/** Without an `Idempotency-Key`, every request is unique. */
const withoutKey: Idempotently = (act) => act(noExtraWrites);

function requestOf(event: HttpEvent): OperationRequest<Contract> {
  const { state } = event;
  const { membership, input } = state;

  return {
    params: input.params,
    query: input.query,
    body: input.body,
    intent: state.intent ?? { id: newId(), isRepeated: false },
    idempotently: state.idempotently ?? withoutKey,
    clientIp: state.clientIp,
    userAgent: state.userAgent,
    event,
    reply: {
      header: (name: string, value: string) => {
        state.replyHeaders[name.toLowerCase()] = value;
      },
      cookies: (...serialized: readonly string[]) => {
        state.replyCookies.push(...serialized);
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
  } as unknown as OperationRequest<Contract>;
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
